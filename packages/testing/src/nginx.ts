import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { promisify } from 'node:util';
import { temporaryFolder } from './files.ts';
import { freePort, hasCommand, startProgram } from './programs.ts';
import { ResourceStack } from './resource-stack.ts';
import { waitUntil } from './time.ts';

export const HAS_NGINX = hasCommand('nginx') && hasCommand('openssl');

/** nginx with `deploy/nginx.conf`, its own certificate, and other ports. */
export interface Nginx extends AsyncDisposable {
  /** The URL that redirects to TLS, and the URL of the page and the API. */
  readonly urls: Readonly<Record<'plain' | 'service', string>>;
  /** The file of its self-signed certificate. */
  readonly certificate: string;
  /** Runs `nginx -t`, and returns its output. */
  check(): Promise<string>;
  start(): Promise<void>;
  log(kind: 'access' | 'error'): string;
}

/** True: this machine has an IPv6 address. */
export const HAS_IPV6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
);

/** Prepares nginx. `upstreams` contains the ports of programs, by the ports in the file. */
export async function prepareNginx(upstreams: Readonly<Record<number, number>>): Promise<Nginx> {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  const ports: Readonly<Record<number, number>> = {
    ...upstreams,
    80: await freePort(),
    443: await freePort(),
  };
  const certificate = await writeCertificate(folder.file('live/settings.example'));
  const sites = readFileSync(new URL('../../../deploy/nginx.conf', import.meta.url), 'utf8')
    .replaceAll('/etc/letsencrypt/live', folder.file('live'))
    .replaceAll('/var/log/nginx/access.log', folder.file('access.log'))
    .replace(/(?<=listen (?:\[::\]:)?|127\.0\.0\.1:)\d+/g, (port) => String(ports[Number(port)] ?? port))
    .replace(/listen \[::\].*\n/g, (line) => (HAS_IPV6 ? line.replace('[::]', '[::1]') : ''))
    .replace(/listen (?=\d)/g, 'listen 127.0.0.1:');
  writeFileSync(folder.file('sites.conf'), sites);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder.file(kind)};`,
  );
  // A single process, so that none remains when it is killed.
  writeFileSync(
    folder.file('nginx.conf'),
    `daemon off; master_process off; pid ${folder.file('pid')}; error_log ${folder.file('error.log')}; events { worker_connections 4096; }
http { access_log off; ${paths.join(' ')} include ${folder.file('sites.conf')}; }`,
  );
  const file = hasCommand('nginx') ? 'nginx' : '';
  const args = ['-p', folder.path, '-c', folder.file('nginx.conf')];
  const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
  const owned = resources.move();
  return {
    urls: {
      plain: `http://127.0.0.1:${ports[80]}`,
      service: `https://127.0.0.1:${ports[443]}`,
    },
    certificate,
    check: async () => (await promisify(execFile)(file, ['-t', ...args], { env: { PATH } })).stderr,
    async start() {
      owned.use(startProgram({ file, args, env: { PATH } }));
      const isUp = () => fetch(`http://127.0.0.1:${ports[80]}`, { redirect: 'manual' }).then(Boolean, () => false);
      await waitUntil(isUp, { message: 'nginx' });
    },
    log: (kind) => readFileSync(folder.file(`${kind}.log`), 'utf8'),
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

/** Writes a key and its certificate into a folder. Returns the file of the certificate. */
async function writeCertificate(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const files = ['-keyout', `${folder}/privkey.pem`, '-out', `${folder}/fullchain.pem`];
  const names = ['DNS:settings.example', 'IP:127.0.0.1', 'IP:::1'].join(',');
  const subject = ['-subj', '/CN=settings.example', '-addext', `subjectAltName=${names}`];
  await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject]);
  return `${folder}/fullchain.pem`;
}
