import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { type Program, startProgram, temporaryFolder } from '@guild-settings/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));

/** A text of the api, and one of its page. */
const SERVED = 'apps/api/src/page/session-routes.ts';
const REFUSAL = 'Expected a request from a page';
const SHOWN = 'apps/dashboard/src/page/app/start.tsx';

// Files are changed in a copy of the repository, with links to the same dependencies.
const folder = temporaryFolder();
const work = temporaryFolder();
let dev: Program;
let report: Record<'api' | 'dashboard' | 'docs' | 'openapi' | 'chat', string>;
beforeAll(async () => {
  for (const part of ['packages', 'apps/api', 'apps/bot', 'apps/dashboard', 'apps/sandbox'])
    cpSync(join(REPOSITORY, part), folder.file(part), { recursive: true, verbatimSymlinks: true });
  for (const name of ['node_modules', 'tsconfig.base.json', 'package.json'])
    symlinkSync(join(REPOSITORY, name), folder.file(name));
  dev = startProgram({
    args: [folder.file('apps/sandbox/src/dev/main.ts'), '--json'],
    cwd: work.path,
    env: { PORT: '0', SIM_PORT: '0', HEALTH_PORT: '0' },
  });
  report = JSON.parse((await dev.waitForOutput(/^\{"mode":.*\}$/m))[0]);
});
afterAll(async () => {
  await dev?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
  work[Symbol.dispose]();
});

function save(file: string, text: string, replacement: string): void {
  const source = readFileSync(folder.file(file), 'utf8');
  expect(source).toContain(text);
  writeFileSync(folder.file(file), source.replace(text, replacement));
}

const textAt = async (path: string) => (await fetch(`${report.dashboard}${path}`)).text();

async function login(): Promise<string> {
  const begun = await fetch(`${report.dashboard}/login`, { redirect: 'manual' });
  const decided = await fetch(begun.headers.get('location') ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(report.chat).origin },
    body: JSON.stringify({ personId: PEOPLE.manager.id, authorize: true }),
  });
  const { location } = (await decided.json()) as { location: string };
  const cookie = cookiesOf(begun);
  const loggedIn = await fetch(location, { redirect: 'manual', headers: { cookie, 'sec-fetch-site': 'cross-site' } });
  return cookiesOf(loggedIn);
}

function cookiesOf(response: Response): string {
  const pairs = response.headers.getSetCookie().map((header) => header.split(';', 1)[0] ?? '');
  return pairs.filter((pair) => !pair.endsWith('=')).join('; ');
}

describe('dev', () => {
  let cookie: string;

  /** Reads the session, and a list that the api requests from the simulated Discord with the session's token. */
  const answers = () =>
    Promise.all(
      ['/session', '/trpc/users.guilds'].map(
        async (path) =>
          (
            await fetch(`${report.dashboard}${path}`, {
              headers: { cookie, 'sec-fetch-site': 'same-origin', 'x-requested-for': PEOPLE.manager.id },
            })
          ).status,
      ),
    );

  test('serves the document with what the api adds, and the modules of the page from their sources', async () => {
    const document = await (await fetch(`${report.dashboard}/guilds/1`, { headers: { accept: 'text/html' } })).text();
    expect(document).toContain('<meta name="application-name" content="Melody">');
    expect(document).toContain('src="/main.tsx"');
    expect(await textAt('/main.tsx')).toContain('/app/start.tsx');
  });

  test('serves the api and its documentation at the port of the page', async () => {
    expect(report.api).toBe(report.dashboard);
    const read = await fetch(`${report.api}/guilds/${GUILDS[0].id}`, {
      headers: { authorization: `Bearer ${tokenOf('manager')}`, accept: 'text/html' },
    });
    expect(await read.json()).toMatchObject({ name: GUILDS[0].name });
    expect(await (await fetch(report.openapi)).json()).toHaveProperty('openapi');
    expect(await (await fetch(report.docs)).text()).toContain(tokenOf('manager'));
    expect(new URL(report.docs).port).toBe(new URL(report.api).port);
    const preflight = { origin: 'http://localhost:5173', 'access-control-request-method': 'PATCH' };
    const allowed = await fetch(`${report.api}/guilds/${GUILDS[0].id}`, { method: 'OPTIONS', headers: preflight });
    expect(allowed.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a changed file of a server is in use after a save, and people stay logged in', async () => {
    cookie = await login();
    expect(await answers()).toStrictEqual([200, 200]);
    save(SERVED, REFUSAL, 'This request is of no page');
    await dev.waitForOutput(/Restarted .*session-routes\.ts/);
    expect(await textAt('/sessions')).toContain('This request is of no page');
    expect(await answers()).toStrictEqual([200, 200]);
  });

  test('a file with an error is named, and the services run on as they were', async () => {
    save(SERVED, 'This request is of no page', "It's an error");
    await dev.waitForOutput(/session-routes\.ts:\d+[\s\S]*SyntaxError[\s\S]*Not restarted/);
    expect(await textAt('/sessions')).toContain('This request is of no page');
    save(SERVED, "It's an error", 'The page alone sends this');
    await expect.poll(() => textAt('/sessions')).toContain('The page alone sends this');
  });

  test('a changed module of the page is served, without a start of the services', async () => {
    const restarts = () => dev.stderr().match(/Restarted/g)?.length;
    const before = restarts();
    const name = `Marker of ${basename(SHOWN)}`;
    save(SHOWN, 'href="/"', `href="/" title="${name}"`);
    await expect.poll(() => textAt('/app/start.tsx')).toContain(name);
    expect(restarts()).toBe(before);
  });

  test('Ctrl-C ends it with exit code 0 and leaves no server', async () => {
    dev.signal('SIGINT');
    dev.signal('SIGINT');
    expect((await dev.exited).code).toBe(0);
    for (const url of [report.dashboard, report.chat, ...(dev.stdout().match(/http:\/\/127\.0\.0\.1:\d+/g) ?? [])])
      await expect(fetch(url)).rejects.toThrow('fetch failed');
  });
});
