import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { executedFiles, listedFiles } from '@guild-settings/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { Browser } from '../src/testing/browser.ts';
import { IDS } from '../src/testing/dashboard-world.ts';
import { sharedDashboard } from '../src/testing/shared-dashboard.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DOCUMENT = await readFile(`${ROOT}docs/architecture.md`, 'utf8');
const WAY = listedFiles(DOCUMENT, '## The way of Save in the dashboard');

const here = sharedDashboard();
afterEach(() => void vi.unstubAllGlobals());

/** A request of tRPC's client. */
interface PageRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The parts of the page that the test uses. Its modules are checked with the types of browsers. */
interface PageModules {
  readonly createSaver: (options: object) => { save(): Promise<void> };
  readonly DraftStore: new (
    options: object,
  ) => {
    edit(field: string, value: string): void;
  };
  readonly guildQuery: (guild: string) => { queryFn(context: object): Promise<object> };
}

async function pageModules(): Promise<PageModules> {
  const paths = ['settings/saver.ts', 'draft/draft-store.ts', 'settings/guild-query.ts'];
  const modules = await Promise.all(
    paths.map((path) => import(/* @vite-ignore */ `${ROOT}apps/dashboard/src/page/${path}`)),
  );
  return Object.assign({}, ...modules);
}

/** Returns the path of a source file of the dashboard or the client within the repository, except the test kit. */
function nameOf(url: string): string | undefined {
  const [, part, file] =
    /\/(apps\/dashboard|packages\/client)\/(?:src|dist)\/(?!testing\/)(.+)\.[jt]s$/.exec(url) ?? [];
  return part && `${part}/src/${file}.ts`;
}

/** The check of open streams and the question for the name of the bot run beside requests. */
const BESIDE = ['session/open-streams.ts', 'http/identity.ts', 'http/page-files.ts', 'http/page-document.ts'].map(
  (file) => `apps/dashboard/src/server/${file}`,
);

/** Components and hooks of React, which do not run here. */
const RENDERED = WAY.filter((file) => file.endsWith('.tsx') || /\/use-[\w-]+\.ts$/.test(file));

test('a save passes the files that docs/architecture.md lists, from the draft to the api and back', async () => {
  const { dashboard } = here;
  const browser = new Browser();
  await dashboard.login(browser);
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string, init: PageRequest) => {
    if (!url.startsWith('/')) return fetch(url, init);
    const { body, headers, ...options } = init;
    const json = body == null ? {} : { body: JSON.parse(body) };
    // Without the wait until the change is in use: no process follows the guild here.
    return dashboard.visit(browser, url, { ...options, ...json, headers: { ...headers, prefer: undefined } });
  });
  const { createSaver, DraftStore, guildQuery } = await pageModules();
  const guild = IDS.guild;
  const theirs = await guildQuery(guild).queryFn({});
  const storage = { getItem: () => null, setItem() {}, removeItem() {} };
  const store = new DraftStore({ storage, key: 'draft', theirs, declared: SPECIFIED_SETTINGS });
  const outcomes: unknown[] = [];
  const saver = createSaver({
    client: {},
    guild,
    store,
    setOutcome: (outcome: unknown) => outcomes.push(outcome),
    setIssues() {},
  });
  const save = async (prefix: string) => {
    store.edit('prefix', prefix);
    await saver.save();
    expect(outcomes.at(-1)).toMatchObject({ kind: 'saved', undo: 'possible' });
  };
  for (const prefix of ['a', 'b', 'c']) await save(prefix);
  const [first, second] = [await executedFiles(nameOf, () => save('d')), await executedFiles(nameOf, () => save('e'))];
  const both = first.filter((file) => second.includes(file) && !BESIDE.includes(file));
  expect(both).toEqual(WAY.filter((file) => !RENDERED.includes(file)).toSorted());
});

test('the listed components and hooks import each other, from the form to the saver', async () => {
  const reached = new Set(WAY.slice(0, 1));
  for (const file of reached) {
    const source = await readFile(ROOT + file, 'utf8');
    for (const [, path = ''] of source.matchAll(/ from '(\.[^']+)'/g)) {
      const imported = relative(ROOT, resolve(ROOT, dirname(file), path));
      if (WAY.includes(imported)) reached.add(imported);
    }
  }
  const page = WAY.filter((file) => file.startsWith('apps/dashboard/src/page/'));
  expect([...reached].toSorted()).toEqual(page.toSorted());
});

test('the way of Save is at most 40 files', () => {
  expect(WAY.length).toBeGreaterThan(0);
  expect(WAY.length).toBeLessThanOrEqual(40);
});
