import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';
import { hasCommand } from './has-command.ts';
import { startProgram } from './program.ts';
import { ResourceStack } from './resource-stack.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { waitUntil } from './wait-until.ts';

/** True: nginx and openssl are here. */
export const HAS_NGINX = hasCommand('nginx') && hasCommand('openssl');

/** nginx with `deploy/nginx.conf`, a certificate of its own, and other ports. */
export interface Nginx extends AsyncDisposable {
  /** Where it serves the api, with TLS. */
  readonly apiUrl: string;
  /** The file of its certificate, which signs itself. */
  readonly certificate: string;
  /** Runs `nginx -t`, and returns what it prints. */
  check(): Promise<string>;
  start(): Promise<void>;
}

/** Prepares nginx. `upstreams` has the ports of programs, by those of the file. */
export async function prepareNginx(upstreams: Readonly<Record<number, number>>): Promise<Nginx> {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  const ports: Readonly<Record<number, number>> = {
    ...upstreams,
    80: await freePort(),
    443: await freePort(),
    [API_PORT]: await freePort(),
  };
  const certificate = await writeCertificate(folder.file('live/settings.example'));
  const sites = readFileSync(new URL('../../../deploy/nginx.conf', import.meta.url), 'utf8')
    .replaceAll('/etc/letsencrypt/live', folder.file('live'))
    .replace(/listen 443(?= [^;]*;\s*server_name api\.)/, `listen ${API_PORT}`)
    .replace(/(?<=listen |127\.0\.0\.1:)\d+/g, (port) => String(ports[Number(port)] ?? port))
    .replaceAll('listen ', 'listen 127.0.0.1:');
  writeFileSync(folder.file('sites.conf'), sites);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder.file(kind)};`,
  );
  // A single process, so that none stays behind when it is killed.
  writeFileSync(
    folder.file('nginx.conf'),
    `daemon off; master_process off; pid ${folder.file('pid')}; error_log stderr; events {}
http { access_log off; ${paths.join(' ')} include ${folder.file('sites.conf')}; }`,
  );
  const file = hasCommand('nginx') ? 'nginx' : '';
  const args = ['-p', folder.path, '-c', folder.file('nginx.conf')];
  const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
  const owned = resources.move();
  return {
    apiUrl: `https://127.0.0.1:${ports[API_PORT]}`,
    certificate,
    check: async () => (await promisify(execFile)(file, ['-t', ...args], { env: { PATH } })).stderr,
    async start() {
      owned.use(startProgram({ file, args, env: { PATH } }));
      const isUp = () => fetch(`http://127.0.0.1:${ports[80]}`, { redirect: 'manual' }).then(Boolean, () => false);
      await waitUntil(isUp, { message: 'nginx' });
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

/** A port in place of 443 for the api, for callers that do not know its name. */
const API_PORT = 444;

/** Writes a key and its certificate into a folder. Returns the file of the certificate. */
async function writeCertificate(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const files = ['-keyout', `${folder}/privkey.pem`, '-out', `${folder}/fullchain.pem`];
  const names = ['DNS:settings.example', 'DNS:api.settings.example', 'IP:127.0.0.1'].join(',');
  const subject = ['-subj', '/CN=settings.example', '-addext', `subjectAltName=${names}`];
  await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject]);
  return `${folder}/fullchain.pem`;
}
