import { execFile, spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasCommand, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { expect } from 'vitest';
import { PERSON } from './fresh-clone.ts';

const run = promisify(execFile);

/** Commands that a machine requires. */
const NEEDED = ['unshare', 'nsenter', 'ip', 'systemd-sysusers', 'openssl'];

/** True: a machine can be made here, as root who may make namespaces, which not every container allows. */
export const CAN_BE_A_MACHINE =
  process.getuid?.() === 0 &&
  NEEDED.every(hasCommand) &&
  spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'tmpfs', '/run']).status === 0;

/** Commands of the packages that docs/deploy.md installs, and of the package postgresql. */
const INSTALLED = [
  'nginx',
  'prometheus',
  'prometheus-node-exporter',
  'prometheus-blackbox-exporter',
  'pg_dump',
  'psql',
];

/** True: a machine can be made here that has the packages of docs/deploy.md. */
export const CAN_BE_A_SERVER = CAN_BE_A_MACHINE && INSTALLED.every(hasCommand);

/** Replaces the certificate authority: makes its own certificate. */
const CERTBOT = `#!/bin/sh
mkdir -p /etc/letsencrypt/live/settings.example
cd /etc/letsencrypt/live/settings.example
exec openssl req -x509 -newkey rsa:2048 -nodes -keyout privkey.pem -out fullchain.pem -subj /CN=settings.example \\
  -addext subjectAltName=DNS:settings.example,DNS:api.settings.example
`;

const JOURNALCTL = `#!/bin/sh
tail -n "$4" "/var/log/$2.log"
`;

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * An isolated machine for one test: namespaces with a loopback network, processes, and changes of /etc, /srv, /usr/src
 * and /var.
 */
export interface Machine extends AsyncDisposable {
  /** The folder that is mounted at /srv. */
  readonly srv: string;
  /** Runs lines of bash in /usr/src/guild-settings. */
  run(lines: string): Promise<Result>;
}

/**
 * Starts a machine.
 * @param clone the folder that is mounted at /usr/src/guild-settings
 */
export async function startMachine(clone: string): Promise<Machine> {
  const folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  const [bin, srv] = [folder.file('bin'), folder.file('srv')];
  for (const path of [bin, srv]) mkdirSync(path);
  cpSync(fileURLToPath(new URL('systemctl.mjs', import.meta.url)), `${bin}/systemctl`);
  writeFileSync(`${bin}/certbot`, CERTBOT, { mode: 0o755 });
  writeFileSync(`${bin}/journalctl`, JOURNALCTL, { mode: 0o755 });
  const setup = `set -e
ip link set lo up
mkdir ${folder.file('fs')}
mount -t tmpfs tmpfs ${folder.file('fs')}
for name in etc var; do
  mkdir -p ${folder.file('fs')}/$name/up ${folder.file('fs')}/$name/work
  mount -t overlay -o lowerdir=/$name,upperdir=${folder.file('fs')}/$name/up,workdir=${folder.file('fs')}/$name/work overlay /$name
done
for path in /run /usr/src; do mount -t tmpfs tmpfs $path; done
mkdir /usr/src/guild-settings
mount --bind ${srv} /srv
mount --bind ${clone} /usr/src/guild-settings
mount --bind ${process.execPath} /usr/bin/node
echo '127.0.0.1 settings.example api.settings.example' >> /etc/hosts
mkdir -p /etc/systemd/system
echo ready > ${folder.file('ready')}
# The first process of the machine reaps those whose parents have ended.
sleep infinity & while :; do wait; done`;
  const unshared = spawn(
    'unshare',
    ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'bash', '-c', setup],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const isReady = () => run('test', ['-e', folder.file('ready')]).then(Boolean, () => unshared.exitCode !== null);
  await waitUntil(isReady, { message: 'the machine' });
  const [first = ''] = readFileSync(`/proc/${unshared.pid}/task/${unshared.pid}/children`, 'utf8').split(' ');
  const env = {
    ...PERSON,
    PATH: `${bin}:${PERSON.PATH}:/usr/sbin:/sbin`,
    CURL_CA_BUNDLE: '/etc/letsencrypt/live/settings.example/fullchain.pem',
  };
  return {
    srv,
    run(lines) {
      const namespaces = ['--target', first, '--mount', '--pid', '--net'];
      const shell = ['bash', '-c', `cd /usr/src/guild-settings && ${lines}`];
      return run('nsenter', [...namespaces, ...shell], { env, maxBuffer: 1 << 26 }).then(
        (output) => ({ code: 0, ...output }),
        ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
      );
    },
    async [Symbol.asyncDispose]() {
      unshared.kill('SIGKILL');
      await new Promise((ended) => (unshared.exitCode === null ? unshared.once('close', ended) : ended(null)));
      folder[Symbol.dispose]();
    },
  };
}

export interface PageCommands {
  /** Returns the lines of the only block of commands that contains a text, without those that are not run here. */
  block(text: string): string;
  files(): [path: string, content: string][];
  /** Commands that were not used by a test. */
  remaining(): string[];
}

/**
 * Reads the commands of a page in docs.
 * @param notRun lines that require what tests lack: a package mirror, a container engine, a reboot
 */
export function pageCommands(name: string, notRun: readonly string[]): PageCommands {
  const page = readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim().split('\n'));
  for (const line of notRun) expect(blocks.flat(), name).toContain(line);
  const runnable = blocks.map((block) => block.filter((line) => !notRun.includes(line)).join('\n'));
  const left = new Set(runnable.filter((block) => block !== ''));
  return {
    block(text) {
      const found = [...left].filter((block) => block.includes(text));
      expect(found, text).toHaveLength(1);
      const [block = ''] = found;
      left.delete(block);
      return block;
    },
    files: () =>
      [...page.matchAll(/```ini\n# (\/\S+)\n([\s\S]*?)```/g)].map(([, path = '', content = '']) => [path, content]),
    remaining: () => [...left],
  };
}
