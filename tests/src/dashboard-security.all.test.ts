import { HAS_BROWSER } from '@guild-settings/discord-sim/testing/browser';
import { GUILDS, PEOPLE } from '@guild-settings/discord-sim/testing/world';
import type { Page } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { errorsOf } from './testing/dashboard-pages.ts';
import { type DashboardWorld, test } from './testing/dashboard-world.ts';

/** A guild with an icon. */
const [TESTERS] = GUILDS as readonly [(typeof GUILDS)[0]];
const GUILD = `/guilds/${TESTERS.id}`;

const WHAT_SCRIPTS_SEE = `(async () => {
  const databases = [];
  for (const { name } of await indexedDB.databases()) {
    const open = indexedDB.open(name);
    await new Promise((resolve, reject) => Object.assign(open, { onsuccess: resolve, onerror: reject }));
    for (const store of open.result.objectStoreNames) {
      const all = open.result.transaction(store).objectStore(store).getAll();
      await new Promise((resolve) => { all.onsuccess = resolve; });
      databases.push([name, store, all.result]);
    }
  }
  return JSON.stringify({
    local: { ...localStorage },
    session: { ...sessionStorage },
    cookies: document.cookie,
    databases,
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    name: window.name,
    history: history.state,
    addresses: performance.getEntries().map(({ name }) => name),
    globals: Object.keys(window).map((key) => String(window[key])),
    document: document.documentElement.outerHTML,
  });
})()`;

describe.skipIf(!HAS_BROWSER)('a browser and the dashboard', () => {
  let world: DashboardWorld;
  test.beforeAll(({ world: shared }) => {
    world = shared;
  });

  const cookieOf = async (page: Page, name: string) =>
    (await page.context().cookies()).find((cookie) => cookie.name === name);

  test('no token and no id of a session is in what scripts can read, in a response or in the log, after a walk through every page', async () => {
    const issued = vi.spyOn(world.discord.world.tokens, 'issueRenewable');
    const page = await world.open(PEOPLE.owner, '/');
    const errors = errorsOf(page);
    const responses: Promise<string>[] = [];
    page.on('response', (response) => {
      // A stream does not end, and a redirect has no body.
      const isStream = response.url().includes('guilds.follow');
      responses.push(isStream ? Promise.resolve('') : response.text().catch(() => ''));
      responses.push(
        response.allHeaders().then(
          (headers) => JSON.stringify(headers),
          () => '',
        ),
      );
    });
    const seen: string[] = [];
    for (const path of ['/', GUILD, `${GUILD}/history`, `${GUILD}/transfer`, `${GUILD}/danger`, '/sessions', GUILD]) {
      await page.goto(`${world.url}${path}`);
      await page.locator('h1').first().waitFor();
      seen.push(await page.evaluate(WHAT_SCRIPTS_SEE));
    }
    // A draft is kept in the storage of the tab, and a saved change in the history.
    await page.locator('[data-live=live]').waitFor();
    await page.getByLabel('Prefix', { exact: true }).fill('walk');
    await expect.poll(() => page.evaluate('JSON.stringify({ ...sessionStorage })')).toContain('walk');
    seen.push(await page.evaluate(WHAT_SCRIPTS_SEE));
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/Live on this server after/)
      .first()
      .waitFor();
    seen.push(await page.evaluate(WHAT_SCRIPTS_SEE));

    const session = await cookieOf(page, 'session');
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    const tokens = issued.mock.results.flatMap(({ value }) => [value.accessToken, value.refreshToken]);
    expect(tokens).toHaveLength(2);
    const places = {
      scripts: seen.join('\n'),
      responses: (await Promise.all(responses)).join('\n'),
      log: world.log(),
    };
    for (const [place, text] of Object.entries(places)) {
      expect(text.length).toBeGreaterThan(1_000);
      for (const secret of [...tokens, session?.value ?? 'no session'])
        expect(text.includes(secret), `a secret in the ${place}`).toBe(false);
    }
    expect(errors).toStrictEqual([]);
    await page.close();
  });

  test('icons come from the server of images that is configured', async () => {
    const page = await world.open(PEOPLE.owner, '/');
    const icon = `document.querySelector('img[src^="${world.discord.url}/icons/${TESTERS.id}/"]')`;
    await expect.poll(() => page.evaluate(`${icon}?.complete && ${icon}.naturalWidth`)).toBe(1);
    await page.close();
  });

  test('text cannot become HTML or a script, and no script runs that the server did not send', async () => {
    const page = await world.visit('/');
    const outcomes = await page.evaluate(`(() => {
      const attempts = {
        innerHTML: () => { document.body.innerHTML = '<b>x</b>'; },
        outerHTML: () => { document.body.firstElementChild.outerHTML = '<b>x</b>'; },
        insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>x</b>'),
        write: () => document.write('<b>x</b>'),
        scriptText: () => { document.createElement('script').text = 'globalThis.ran = true'; },
        scriptSource: () => { document.createElement('script').src = 'data:text/javascript,globalThis.ran=true'; },
        srcdoc: () => { document.createElement('iframe').srcdoc = '<script>parent.ran = true</script>'; },
        parser: () => new DOMParser().parseFromString('<b>x</b>', 'text/html'),
        policy: () => trustedTypes.createPolicy('own', { createHTML: (text) => text }),
      };
      return Object.entries(attempts).map(([name, attempt]) => {
        try { attempt(); return [name, 'allowed']; } catch (error) { return [name, error.name]; }
      });
    })()`);
    expect(new Map(outcomes as [string, string][])).toStrictEqual(
      new Map(
        [
          'innerHTML',
          'outerHTML',
          'insertAdjacentHTML',
          'write',
          'scriptText',
          'scriptSource',
          'srcdoc',
          'parser',
          'policy',
        ].map((name) => [name, 'TypeError']),
      ),
    );
    await page.close();
  });

  test('an inline script, an inline handler and a script of another origin in the document do not run', async () => {
    const page = await world.visit('/');
    // The server's own headers, with a document that an attacker was able to write into.
    await page.route(`${world.url}/`, async (route) => {
      const response = await route.fetch();
      const evil = `<script>document.title = 'evil'</script><img src="/none" onerror="document.title = 'evil'">
        <script src="${world.discord.url}/chat/main.js"></script><base href="https://evil.example/">
        <style>body { color: rgb(1, 2, 3) }</style><object data="/icon.svg"></object>`;
      await route.fulfill({ response, body: (await response.text()).replace('<body>', `<body>${evil}`) });
    });
    const refused: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && refused.push(message.text())));
    await page.goto(world.url);
    await page.locator('a[href^="/login"]').first().waitFor();
    expect(await page.title()).not.toBe('evil');
    expect(await page.evaluate('getComputedStyle(document.body).color')).not.toBe('rgb(1, 2, 3)');
    for (const what of [
      'inline script',
      'inline event handler',
      'inline style',
      'chat/main.js',
      'base',
      'object-src|default-src',
    ]) {
      expect(
        refused.filter((text) => new RegExp(what, 'i').test(text)),
        what,
      ).not.toHaveLength(0);
    }
    await page.close();
  });

  test('a page of another site can neither frame the dashboard nor act in it for the person who is logged in', async () => {
    const page = await world.open(PEOPLE.owner, '/');
    const session = await cookieOf(page, 'session');
    // Browsers treat it as another site, because of its name.
    const evil = world.url.replace('127.0.0.1', 'localhost');
    const update = `${world.url}/trpc/guilds.update`;
    await page.route(`${evil}/`, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<iframe src="${world.url}/"></iframe>` }),
    );
    await page.goto(evil);
    await expect.poll(() => page.frames()[1]?.url() ?? '').toMatch(/^chrome-error:/);
    const body = JSON.stringify({ guild: TESTERS.id, prefix: 'evil' });
    const readable = await page.evaluate(`(async () => {
      const outcome = (promise) => promise.then((response) => response.type, () => 'refused');
      const credentials = 'include';
      const read = (path) => outcome(fetch(${JSON.stringify(world.url)} + path, { credentials }));
      const plain = { method: 'POST', mode: 'no-cors', credentials, body: ${JSON.stringify(body)} };
      const json = { ...plain, mode: 'cors', headers: { 'content-type': 'application/json' } };
      const end = ${JSON.stringify(world.url)} + '/logout';
      const posted = [];
      for (const to of [${JSON.stringify(update)}, end]) for (const how of [plain, json]) posted.push(await outcome(fetch(to, how)));
      return { reads: [await read('/session'), await read('/sessions')], posted };
    })()`);
    expect(readable).toMatchObject({ reads: ['refused', 'refused'] });
    expect(JSON.stringify(readable)).not.toMatch(/"(?:basic|cors)"/);
    await page.goto(`${world.url}${GUILD}`);
    await page.locator('[data-live=live]').waitFor();
    expect(await page.getByLabel('Prefix', { exact: true }).inputValue()).not.toBe('evil');
    expect((await cookieOf(page, 'session'))?.value).toBe(session?.value);
    await page.close();
  });
});
