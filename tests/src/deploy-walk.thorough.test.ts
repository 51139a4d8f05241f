import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { waitUntil } from '@guild-settings/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FreshClone, freshClone } from './testing/fresh-clone.ts';
import { APPLICATION, GUILD, type Installation, installationOn, MANAGER } from './testing/installation.ts';
import { CAN_BE_A_SERVER, type Machine, pageCommands, startMachine } from './testing/machine.ts';
import { runShellCommand } from './testing/shell-command.ts';

const DEPLOY = pageCommands('deploy.md', [
  'apt-get install nginx certbot prometheus prometheus-node-exporter prometheus-blackbox-exporter',
  'reboot',
  // A program with its own tests, which pnpm builds first.
  '(set -a; . /etc/guild-settings/bot.env; npx --yes pnpm@12 run check-discord)',
  // For a newer nginx than that of Debian 12.
  String.raw`sed -i -E 's/( ssl) http2;/\1;/; s/^  ssl_certificate /  http2 on;\n&/' /etc/nginx/conf.d/guild-settings.conf`,
  // Skipped, because there is no container engine.
  'cd deploy',
  'install --directory --mode=0700 secrets',
  'docker compose up --detach --build',
  'docker compose --file compose.yaml --file compose.postgres.yaml up --detach --build',
]);
const OPERATE = pageCommands('operate.md', [
  'git pull',
  'apt-get install prometheus-node-exporter prometheus-blackbox-exporter',
  // Run by deploy-backup.all.test.ts.
  'docker compose stop api',
  `docker compose run --rm --no-deps backup sh -c 'cp "$(ls -t backups/guild-settings-*.db | head -n 1)" data/guild-settings.db && rm -f data/guild-settings.db-wal data/guild-settings.db-shm'`,
  'docker compose start api',
]);
// Run by deploy-restore.all.test.ts.
for (const text of ['ls -t /var/lib/guild-settings-backups/api/', 'ACCEPT_EPOCH', 'damaged.db']) OPERATE.block(text);

const BACKUPS = '/var/lib/guild-settings-backups';

/** The headers of a call of the page for the manager. */
const AS_PAGE = `--header 'Origin: https://settings.example' --header 'X-Requested-For: ${MANAGER.id}' --header 'X-Requested-By: dashboard'`;

/** The proxy of 1.0.0, with separate names and programs for the page and the API. */
const NGINX_OF_1_0_0 = [
  ['settings.example', 3003],
  ['api.settings.example', 3000],
]
  .map(
    ([name, port]) => `server {
  listen 443 ssl;
  server_name ${name};
  ssl_certificate /etc/letsencrypt/live/settings.example/fullchain.pem;
  ssl_certificate_key /etc/letsencrypt/live/settings.example/privkey.pem;
  location / { proxy_pass http://127.0.0.1:${port}; }
}`,
  )
  .join('\n');

/** A cookie of a session of 1.0.0, whose database is no longer read. */
const OLD_COOKIE = `__Host-session=${'a'.repeat(43)}; __Host-logged-in=1`;

/** Logs the manager in like a browser, and keeps the cookies of the session in /root/jar. */
const LOG_IN = `begun=$(curl -s -c /run/jar -o /dev/null -w '%{redirect_url}' https://settings.example/login)
decided=$(curl -s -b /run/jar -c /run/jar --json '{"personId":"${MANAGER.id}","authorize":true}' "$begun")
curl -s -b /run/jar -c /run/jar -o /dev/null -w '%{http_code} %{redirect_url}' "$(node -pe 'JSON.parse(process.argv[1]).location' "$decided")"`;

describe.skipIf(!CAN_BE_A_SERVER)('docs/deploy.md and docs/operate.md, on a machine of their own', () => {
  let clone: FreshClone;
  let machine: Machine;
  let installation: Installation;
  beforeAll(async () => {
    clone = await freshClone();
    machine = await startMachine(clone.path);
    installation = installationOn(machine, 'https://settings.example');
  });
  afterAll(async () => {
    await machine?.[Symbol.asyncDispose]();
    clone?.[Symbol.dispose]();
  });

  const succeed = (lines: string) => installation.succeed(lines);
  const ready = (port: number) => installation.ready(port);
  const prefix = async () => (await installation.record()).prefix;
  /** Runs a build with the package store of the host, then the other lines. */
  async function build(lines: string): Promise<void> {
    const [first = '', ...others] = lines.split('\n');
    const onHost = first.replace('/srv/', `${machine.srv}/`);
    expect(await runShellCommand(onHost, { cwd: clone.path })).toMatchObject({ code: 0 });
    await succeed(others.join('\n'));
  }
  async function saveOnPage(value: string): Promise<void> {
    expect(await succeed(LOG_IN)).toBe('302 https://settings.example/');
    const call = `curl -fsS -b /run/jar ${AS_PAGE} https://settings.example/trpc`;
    expect(await succeed(`${call}/users.guilds`)).toContain(GUILD);
    await succeed(`${call}/guilds.update --json '{"guild":"${GUILD}","prefix":"${value}"}'`);
    expect(await prefix()).toBe(value);
  }

  /** Returns the status of the session started by the last login. */
  function sessionStatus(): Promise<string> {
    return succeed("curl -s -o /dev/null -w '%{http_code}' -b /run/jar https://settings.example/session");
  }

  test('the programs are built', async () => {
    await build(DEPLOY.block('deploy/build.sh'));
    expect(await succeed('ls /srv/guild-settings')).toBe('api\nbot\n');
  });

  test('api and bot start as the page says', async () => {
    await installation.start(DEPLOY);
    expect(await succeed(DEPLOY.block('journalctl'))).toContain('"msg":"starting"');
  });

  test('they are public behind TLS, but for metrics, and the first login can save a change that the bot uses', async () => {
    await succeed('systemctl start nginx');
    await succeed(DEPLOY.block('certbot'));
    const isServing = async () => (await machine.run('curl --silent https://settings.example')).code === 0;
    await waitUntil(isServing, { message: 'nginx with its certificate' });
    expect(await succeed(DEPLOY.block('settings.example/application'))).toContain(APPLICATION.id);
    for (const path of ['metrics', 'readyz', 'healthz']) {
      expect(await succeed(`curl -s -o /dev/null -w '%{http_code}' https://settings.example/${path}`)).toBe('404');
    }
    await saveOnPage('?');
  });

  test('the api has declared settings, which its user can read where the page puts them', async () => {
    copyFileSync(new URL('../../examples/own-settings/settings.ts', import.meta.url), `${clone.path}/settings.ts`);
    const [check = '', install = ''] = DEPLOY.block('settings check').split('&&\n');
    expect(await runShellCommand(check, { cwd: clone.path })).toMatchObject({ code: 0 });
    const [, variable = ''] = /`(SETTINGS_FILE=\S+)`/.exec(readFileSync(DEPLOY_PAGE, 'utf8')) ?? [];
    await succeed(`${install}\necho ${variable} >> /etc/guild-settings/api.env; systemctl restart guild-settings@api`);
    await ready(3000);
    expect(await installation.record()).toMatchObject({ custom: { xpRate: expect.any(Number) } });
  });

  test('a backup is made, and an old one is deleted', async () => {
    await succeed(`install -d ${BACKUPS}/api; touch --date '15 days ago' ${BACKUPS}/api/api-old.db`);
    expect(await succeed(DEPLOY.block('guild-settings-backup@api guild-'))).toMatch(/api\/api-\d{4}-.*\.db/);
    expect(await succeed(`find ${BACKUPS} -type f`)).not.toContain('api-old.db');
  });

  test('an alert fires while the bot is stopped', async () => {
    const [copied = '', ...others] = DEPLOY.block('/etc/prometheus/').split('\nsystemctl restart');
    // Shortens the waits of a minute.
    const hasty = `sed -i -E 's/(for|_interval): [0-9]+[a-z]/\\1: 1s/' /etc/prometheus/alerts.yaml /etc/prometheus/prometheus.yml`;
    await succeed([`${copied}\n${hasty}`, ...others].join('\nsystemctl restart'));
    const asked = DEPLOY.block('api/v1/alerts').split('\n');
    const isFiring = async () => {
      const { stdout } = await machine.run(asked[0] ?? '');
      return /"alertname":"GuildSettingsDown".*guild-settings-bot.*"firing"/.test(stdout);
    };
    await waitUntil(isFiring, { message: 'the alert' });
    await succeed(asked.slice(1).join('\n'));
    await ready(3002);
    await succeed('systemctl start prometheus-node-exporter prometheus-blackbox-exporter');
    const targets = DEPLOY.block('api/v1/targets');
    const areUp = async () => (await machine.run(targets)).stdout === '"health":"up"\n'.repeat(4);
    await waitUntil(areUp, { message: 'the targets' });
    for (const [series, most] of [
      ['time() - guild_settings_backup_timestamp_seconds', 300],
      ['min(node_filesystem_avail_bytes / node_filesystem_size_bytes and node_filesystem_readonly == 0)', 1],
      ['probe_ssl_earliest_cert_expiry{job="guild-settings-page"} - time()', 30 * 86_400],
      ['probe_success{job="guild-settings-page"}', 1],
    ] as const) {
      const query = `curl -fsS --data-urlencode 'query=${series}' http://127.0.0.1:9090/api/v1/query`;
      const value = async () => Number(JSON.parse(await succeed(query)).data.result[0]?.value[1]);
      await waitUntil(async () => (await value()) > 0, { message: series });
      expect(await value(), series).toBeLessThanOrEqual(most);
    }
  });

  test('an installation arranged as that of 1.0.0 is upgraded: the api serves page and programs, and people log in once more', async () => {
    const moved = '(DASHBOARD_URL|DISCORD_CLIENT_SECRET|SESSION_KEY)=';
    // The page builds the folder of the present version, which is installed.
    await succeed(`mv "$(readlink /srv/guild-settings)" /srv/guild-settings-of-1.0.0
ln -sfn /srv/guild-settings-of-1.0.0 /srv/guild-settings
cd /etc/guild-settings
(umask 077; grep -E '^${moved}' api.env > dashboard.env)
printf 'API_URL=http://127.0.0.1:3000\nPORT=3003\n' >> dashboard.env
sed -i -E '/^${moved}/d' api.env
truncate --size=-1 api.env
systemd-sysusers - <<< 'u guild-settings-dashboard - "guild-settings dashboard"'
mkdir -p /srv/guild-settings/dashboard/dist
echo 'require("node:http").createServer((_, response) => response.end("1.0.0")).listen(process.env.PORT)' > /srv/guild-settings/dashboard/dist/main.js
cat > /etc/nginx/conf.d/guild-settings.conf <<'end'
${NGINX_OF_1_0_0}
end
systemctl restart guild-settings@api
systemctl enable --now guild-settings@dashboard
systemctl reload nginx`);
    const isOld = async () => (await succeed('curl -s https://settings.example/')) === '1.0.0';
    await ready(3000);
    await waitUntil(isOld, { message: 'the page of 1.0.0' });
    expect(await succeed('curl -s -o /dev/null -w %{redirect_url} http://127.0.0.1:3000/')).toMatch(/\/docs$/);

    await build(OPERATE.block('guild-settings-2.0.0'));
    await waitUntil(async () => !(await isOld()), { message: 'the page of the api' });
    await ready(3002);
    expect(await units()).toStrictEqual(['guild-settings@api', 'guild-settings@bot']);
    expect(await succeed("curl -fsS -H 'accept: text/html' https://settings.example/")).toContain('<div id="root">');
    const status = `curl -s -o /dev/null -w '%{http_code} ' --cookie '${OLD_COOKIE}' https://settings.example`;
    expect(await succeed(`${status}/session; ${status}/trpc/users.guilds ${AS_PAGE}`)).toBe('401 401 ');
    await saveOnPage('&');
    expect(await succeed('curl -fsS https://api.settings.example/application')).toContain(APPLICATION.id);
  });

  test('an upgrade changes the link, and the units are still there', async () => {
    await build(OPERATE.block('guild-settings-2.0.1'));
    for (const port of [3000, 3002]) await ready(port);
    expect(await prefix()).toBe('&');
    expect(await succeed(DEPLOY.block('list-units'))).toContain('guild-settings@api');
    expect(await units()).toHaveLength(2);
    expect(await succeed(OPERATE.block('journalctl'))).toContain('"msg":"closing"');
  });

  test('the data moves to PostgreSQL, where two processes serve', async () => {
    await startPostgres();
    await succeed(DEPLOY.block('CREATE DATABASE'));
    const [, variables = ''] = /```ini\n(DATABASE_URL=[\s\S]*?)```/.exec(readFileSync(OPERATE_PAGE, 'utf8')) ?? [];
    await succeed(`cat >> /etc/guild-settings/api.env <<'end'\n${variables}end`);
    const copied = await succeed(OPERATE.block('dist/copy.js'));
    expect(copied).toContain('Every row was compared');
    expect(await prefix()).toBe('&');
    await succeed(DEPLOY.block('api/dist/migrate.js'));
    await succeed(`cp /etc/guild-settings/api.env /etc/guild-settings/api-2.env
echo PORT=3001 >> /etc/guild-settings/api-2.env`);
    await succeed(DEPLOY.block('api-2'));
    await ready(3001);
    await saveOnPage('?');
    expect(await sessionStatus()).toBe('200');
  });

  test('a dump of PostgreSQL has the ledger beside it, and is restored', async () => {
    await succeed(OPERATE.block('pg_dump'));
    await succeed(`cmp /var/lib/guild-settings/api/api.db-erasures ${BACKUPS}/erasures`);
    await installation.record({ prefix: '#' });
    await succeed(OPERATE.block('pg_restore'));
    for (const port of [3000, 3001]) await ready(port);
    expect(await prefix()).toBe('?');
    expect(await sessionStatus()).toBe('401');
    await saveOnPage('?');
  });

  test('an upgrade replaces both processes', async () => {
    const pids = () => succeed('cat /run/units/guild-settings@api; echo; cat /run/units/guild-settings@api-2');
    const before = (await pids()).split('\n');
    await build(OPERATE.block('guild-settings-2.0.2'));
    for (const port of [3000, 3001, 3002]) await ready(port);
    for (const pid of (await pids()).split('\n')) expect(before).not.toContain(pid);
    expect(await sessionStatus()).toBe('200');
    expect(await succeed('readlink /srv/guild-settings')).toBe('/srv/guild-settings-2.0.2\n');
    expect(await prefix()).toBe('?');
  });

  test('no command of the pages is left', () => {
    expect([...DEPLOY.remaining(), ...OPERATE.remaining()]).toStrictEqual([]);
  });

  /** Returns the running programs. */
  async function units(): Promise<string[]> {
    const lines = (await succeed("systemctl list-units 'guild-settings@*'")).split('\n');
    return lines.filter((unit) => unit.startsWith('guild-settings@')).toSorted();
  }

  /** Starts the server of the package postgresql, at the address of the page and with the user that the package has. */
  async function startPostgres(): Promise<void> {
    const [newest = ''] = readdirSync('/usr/lib/postgresql').toSorted((a, b) => Number(b) - Number(a));
    const bin = `/usr/lib/postgresql/${newest}/bin`;
    await succeed(`install -d --owner=postgres /var/postgres /run/postgresql; cd /var/postgres
runuser --user=postgres -- ${bin}/initdb --pgdata=data --auth-local=peer --auth-host=scram-sha-256 --locale=C --encoding=UTF8
setsid runuser --user=postgres -- ${bin}/postgres -D data -c unix_socket_directories=/run/postgresql > /var/log/postgres.log 2>&1 &`);
    const isUp = async () => (await machine.run('grep "ready to accept" /var/log/postgres.log')).code === 0;
    await waitUntil(isUp, { message: 'PostgreSQL' });
  }
});

const DEPLOY_PAGE = new URL('../../docs/deploy.md', import.meta.url);
const OPERATE_PAGE = new URL('../../docs/operate.md', import.meta.url);
