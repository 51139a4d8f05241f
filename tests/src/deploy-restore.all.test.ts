import { fileURLToPath } from 'node:url';
import { waitUntil } from '@guild-settings/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Installation, installationOn } from './testing/installation.ts';
import { CAN_BE_A_MACHINE, type Machine, pageCommands, startMachine } from './testing/machine.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEPLOY = pageCommands('deploy.md', []);
const OPERATE = pageCommands('operate.md', []);

/** Puts the programs of this repository where docs/deploy.md has those of a version. */
const PROGRAMS = `systemd-sysusers "$PWD/deploy/systemd/sysusers.conf"
mkdir -p /srv/guild-settings/api /srv/guild-settings/bot
for program in api bot; do ln -s /usr/src/guild-settings/apps/$program/dist /srv/guild-settings/$program/dist; done
cp deploy/backup.sh /srv/guild-settings/api/`;

describe.skipIf(!CAN_BE_A_MACHINE)('docs/operate.md, on a machine with one server that has settings of its own', () => {
  let machine: Machine;
  let installation: Installation;
  beforeAll(async () => {
    machine = await startMachine(ROOT);
    installation = installationOn(machine, 'http://127.0.0.1:3000');
    await installation.succeed(PROGRAMS);
    await installation.start(DEPLOY);
  });
  afterAll(() => machine?.[Symbol.asyncDispose]());

  const succeed = (lines: string) => installation.succeed(lines);
  const prefix = async () => (await installation.record()).prefix;
  async function stateOfBot(): Promise<string> {
    return JSON.parse(await succeed('curl -s http://127.0.0.1:3002/readyz')).replica.state;
  }
  async function lastBackups(): Promise<number[]> {
    const metric = "sed -n 's/^guild_settings_backup_timestamp_seconds //p'";
    const printed = await succeed(`for port in 3000 3002; do curl -s http://127.0.0.1:$port/metrics | ${metric}; done`);
    return printed.trim().split('\n').map(Number);
  }

  test('api and bot know of no backup before the first one, and when that was afterwards', async () => {
    expect(await lastBackups()).toEqual([0, 0]);
    const before = Date.now() / 1_000 - 1;
    expect(await succeed(DEPLOY.block('guild-settings-backup@api guild-'))).toMatch(/api\/api-\d{4}-.*\.db/);
    for (const last of await lastBackups()) expect(last).toBeGreaterThan(before);
  });

  test('the newest copy is restored, and the bot, which would lose the settings of its one server, is told to accept it', async () => {
    await installation.record({ prefix: '%' });
    await waitUntil(async () => (await installation.arrival()).state === 'live', { message: 'the change in the bot' });
    await succeed(OPERATE.block('ls -t /var/lib/guild-settings-backups/api/'));
    expect(await prefix()).toBe('!');
    const log = async () => (await machine.run('cat /var/log/guild-settings@bot.log')).stdout;
    await waitUntil(async () => (await log()).includes('ACCEPT_EPOCH='), { message: 'the held history' });
    expect(await log()).toContain('docs/operate.md#restore');
    expect(await stateOfBot()).toBe('STALE');
    await succeed(OPERATE.block('ACCEPT_EPOCH'));
    await installation.ready(3002);
    await waitUntil(async () => (await stateOfBot()) === 'LIVE', { message: 'the accepted history' });
  });

  test('a bot with a damaged file says what to do, and starts on a copy', async () => {
    await succeed(`systemctl stop guild-settings@bot
head --bytes 5000 /dev/zero > /var/lib/guild-settings/bot/bot.db; systemctl start guild-settings@bot`);
    const says = async () => (await machine.run('tail -n 5 /var/log/guild-settings@bot.log')).stdout;
    await waitUntil(async () => (await says()).includes('The file of DATABASE_URL is damaged'), {
      message: 'the refusal',
    });
    await succeed(OPERATE.block('damaged.db'));
    await installation.ready(3002);
    expect(await succeed('ls /var/lib/guild-settings/bot')).toContain('damaged.db');
  });

  test('a new machine starts on the copies', async () => {
    const backups = '/var/lib/guild-settings-backups/api';
    await succeed(`systemctl stop guild-settings@api
find /var/lib/guild-settings/api -mindepth 1 -delete
cp ${backups}/api-*.db /var/lib/guild-settings/api/api.db
cp ${backups}/erasures /var/lib/guild-settings/api/api.db-erasures
chown guild-settings-api: /var/lib/guild-settings/api/*
systemctl start guild-settings@api`);
    await installation.ready(3000);
    expect(await prefix()).toBe('!');
  });

  test('a backup has the ledger of ERASURE_LEDGER, and fails without it', async () => {
    const backUp = 'systemctl start guild-settings-backup@api';
    await succeed(`systemctl stop guild-settings@api
cd /var/lib/guild-settings/api
mv api.db-erasures moved
(echo; echo ERASURE_LEDGER=./moved) >> /etc/guild-settings/api.env
rm /var/lib/guild-settings-backups/api/erasures
${backUp}
cmp moved /var/lib/guild-settings-backups/api/erasures
rm moved`);
    expect((await machine.run(backUp)).code).not.toBe(0);
    expect(await succeed('cat /var/log/guild-settings-backup@api.log')).toContain(
      'Expected the ledger of erasures at ./moved',
    );
  });
});
