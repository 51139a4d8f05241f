import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HAS_BROWSER, startBrowser } from '@guild-settings/discord-sim/testing/browser';
import { GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { startProgram } from '@guild-settings/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, newProfile, openFirstTab } from './testing/dashboard-pages.ts';
import { type FreshClone, freshClone, PERSON } from './testing/fresh-clone.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SECTION = part(
  readFileSync(join(ROOT, 'docs/add-a-setting.md'), 'utf8'),
  /^## A specified setting\n([\s\S]*?)^## /m,
);
const [DECLARED, BEHIND] = ['packages/contract/src/settings/specified.ts', '} as const satisfies'];

/** The steps of the page: a declaration, texts, a change of a document, and a command. */
const DECLARATION = part(SECTION, /```ts\n([\s\S]*?)```/);
const LANGUAGES = [...part(SECTION, /^ *\| file.*?\| key +\|(.*)$/m).matchAll(/`(.+?)`/g)].map(
  ([, code]) => code ?? '',
);
const TEXTS = [...SECTION.matchAll(/^ *\| `(\S+)<language>(\S+)` +\| `(\S+)` +\|(.*)\|$/gm)].flatMap(
  ([, before = '', after = '', key = '', cells = '']) =>
    cells.split('|').map((cell, index) => {
      const language = LANGUAGES[index] ?? '';
      return { path: `${before}${language}${after}`, key, language, text: cell.trim() };
    }),
);
const [SHOWN_BEFORE, SHOWN] = [part(SECTION, /```diff\n *-(.*)\n/), part(SECTION, /```diff\n.*\n *\+(.*)\n/)];
const GENERATE = part(SECTION, /```bash\n *npx --yes pnpm@12 exec (.*)\n/);

function part(text: string, pattern: RegExp): string {
  const [, found] = pattern.exec(text) ?? [];
  if (found === undefined) throw new Error(`Expected ${pattern} in docs/add-a-setting.md`);
  return found;
}

let clone: FreshClone;
beforeAll(async () => {
  clone = await freshClone();
  linkDependencies(clone.path);
});
afterAll(() => clone?.[Symbol.dispose]());

/** Gives a copy of this repository the same dependencies. Links from one package to another lead to those of the copy. */
function linkDependencies(copy: string): void {
  const packages = ['packages', 'apps', 'examples'].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}/node_modules`),
  );
  const options = { recursive: true, verbatimSymlinks: true };
  for (const path of ['tests/node_modules', 'node_modules/@guild-settings', ...packages])
    if (existsSync(join(ROOT, path))) cpSync(join(ROOT, path), join(copy, path), options);
  mkdirSync(join(copy, 'node_modules'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!existsSync(join(copy, 'node_modules', name)))
      symlinkSync(join(ROOT, 'node_modules', name), join(copy, 'node_modules', name));
}

/** Runs lines of a shell in the copy. Returns what they print, and whether they succeed. */
async function run(line: string): Promise<{ readonly succeeds: boolean; readonly output: string }> {
  // Of a person's shell, with the tools on the path.
  const env = {
    ...PERSON,
    THOROUGH: '',
    NO_COLOR: '1',
    PATH: `${join(clone.path, 'node_modules/.bin')}:${PERSON.PATH}`,
  };
  await using program = startProgram({ file: 'bash', args: ['-c', line], cwd: clone.path, env });
  const { code, stdout, stderr } = await program.finished();
  return { succeeds: code === 0, output: stdout + stderr };
}

function edit(path: string, change: (text: string) => string): void {
  const file = join(clone.path, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** Sets a text in a file of texts. */
function setText({ path, key, text }: (typeof TEXTS)[number]): void {
  const [block = '', name = ''] = key.split('.');
  edit(path, (json) => {
    const texts = JSON.parse(json);
    texts[block][name] = text;
    return `${JSON.stringify(texts, null, 2)}\n`;
  });
}

const TYPECHECK = scriptOf('.', 'typecheck');
const BUILD_PAGE = `cd apps/dashboard && ${scriptOf('apps/dashboard', 'page')}`;

function scriptOf(folder: string, name: string): string {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).scripts[name];
}

const README_TEST = 'tests/src/readme.test.ts';

/** The first ring, without the tests that start the sandbox or a browser. */
const ALL_TESTS = `packages apps/api apps/bot apps/transfer apps/dashboard golden.test ${README_TEST}`;

/** Runs lines that succeed. Otherwise the failed tests, and the errors of types, are thrown. */
async function succeed(line: string): Promise<void> {
  const { succeeds, output } = await run(line);
  const failures = output.split('\n').filter((text) => /FAIL|error TS|Error:/.test(text));
  if (!succeeds) throw new Error([line, ...(failures.length > 0 ? failures : [output])].join('\n'));
}

describe('a specified setting, by the steps of docs/add-a-setting.md', () => {
  test('passes the type check, and all tests without a change of one', async () => {
    edit(DECLARED, (source) => source.replace(BEHIND, `${DECLARATION.replace(/^ {3}/gm, '  ')}${BEHIND}`));
    for (const text of TEXTS) setText(text);
    await succeed(TYPECHECK);

    // The shown and the recorded texts are those of before.
    const { output } = await run(`vitest run golden.test ${README_TEST}`);
    for (const path of ['packages/contract', 'packages/i18n', 'apps/api', 'tests/src/bot-', README_TEST])
      expect(output).toMatch(new RegExp(`FAIL .*${path}`));
    edit('README.md', (page) => page.replace(SHOWN_BEFORE, SHOWN));
    await succeed(GENERATE);
    await succeed(BUILD_PAGE);
    await succeed(`vitest run ${ALL_TESTS}`);
  });

  test.for(TEXTS.filter(({ language }) => ['en-US', 'ru'].includes(language)))(
    'does not pass the type check without $key in $language',
    async (text) => {
      const file = join(clone.path, text.path);
      const before = readFileSync(file, 'utf8');
      writeFileSync(file, before.replace(new RegExp(`,\\s*"quiet": ${JSON.stringify(text.text)}`), ''));
      const { succeeds, output } = await run(TYPECHECK);
      writeFileSync(file, before);
      expect(succeeds).toBe(false);
      expect(output).toContain('quiet');
    },
  );

  test.skipIf(!HAS_BROWSER)('is in the record, on the page and in the chat', async () => {
    await succeed(BUILD_PAGE);
    await using dev = startProgram({
      args: [join(clone.path, 'apps/sandbox/src/dev/main.ts'), '--json', '--new'],
      cwd: clone.path,
      env: { PORT: '0', SIM_PORT: '0', HEALTH_PORT: '0' },
    });
    const { api, dashboard, chat } = JSON.parse((await dev.waitForOutput(/^\{"mode":.*\}$/m))[0]);
    const [{ id }] = GUILDS;
    const record = async () => {
      const headers = { authorization: `Bearer ${tokenOf('manager')}` };
      return (await fetch(`${api}/guilds/${id}`, { headers })).json();
    };
    expect(await record()).toMatchObject({ quiet: false });

    await using browser = await startBrowser();
    const profile = await newProfile(browser, { locale: 'ru' });
    await logIn(profile, { url: dashboard, personId: PEOPLE.manager.id });
    await using page = await openFirstTab(profile, `${dashboard}/guilds/${id}`);
    await page.getByText('Бот отвечает только реакциями.').waitFor();
    await page.getByRole('switch', { name: 'Тихий режим' }).click({ force: true });
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await expect.poll(record).toMatchObject({ quiet: true });

    const channel = await (await newProfile(browser)).newPage();
    await channel.goto(chat);
    await channel.fill('#text', '!settings set quiet off');
    await channel.press('#text', 'Enter');
    await channel.getByText('quiet: on → off').waitFor();
    expect(await record()).toMatchObject({ quiet: false });
  });
});
