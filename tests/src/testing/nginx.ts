import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Program, ResourceStack, startProgram, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { hasCommand } from './has-command.ts';

const CONFIGURATION = readFileSync(new URL('../../../deploy/nginx.conf', import.meta.url), 'utf8');

/** True: nginx and openssl are here. */
export const HAS_NGINX = hasCommand('nginx') && hasCommand('openssl');

/** nginx with `deploy/nginx.conf`, a certificate of its own, and other ports. */
export interface Nginx extends AsyncDisposable {
  /** Runs `nginx -t`, and returns what it prints. */
  check(): Promise<string>;
  start(): Promise<Program>;
}

/** Prepares nginx. `ports` has those to use in place of the ports of the file. */
export async function prepareNginx(ports: Readonly<Record<number, number>>): Promise<Nginx> {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder());
  const certificates = folder.file('live/settings.example');
  mkdirSync(certificates, { recursive: true });
  const files = ['-keyout', `${certificates}/privkey.pem`, '-out', `${certificates}/fullchain.pem`];
  const names = [
    '-subj',
    '/CN=settings.example',
    '-addext',
    'subjectAltName=DNS:settings.example,DNS:api.settings.example',
  ];
  await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...names]);
  const sites = CONFIGURATION.replaceAll('/etc/letsencrypt/live', folder.file('live')).replace(
    /(?<=listen |127\.0\.0\.1:)\d+/g,
    (port) => String(ports[Number(port)] ?? port),
  );
  writeFileSync(folder.file('sites.conf'), sites);
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder.file(kind)};`,
  );
  writeFileSync(
    folder.file('nginx.conf'),
    `daemon off; pid ${folder.file('pid')}; error_log stderr; events {}
http { access_log off; ${paths.join(' ')} include ${folder.file('sites.conf')}; }`,
  );
  const file = hasCommand('nginx') ? 'nginx' : '';
  const args = ['-p', folder.path, '-c', folder.file('nginx.conf')];
  const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;
  const owned = resources.move();
  return {
    check: async () => (await promisify(execFile)(file, ['-t', ...args], { env: { PATH } })).stderr,
    async start() {
      const nginx = owned.use(startProgram({ file, args, env: { PATH } }));
      const isUp = () => fetch(`http://127.0.0.1:${ports[80]}`, { redirect: 'manual' }).then(Boolean, () => false);
      await waitUntil(isUp, { message: 'nginx' });
      return nginx;
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}
