import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import { CHANNEL, startBotSim, test } from '../testing/bot-sim.ts';
import { ask, place } from '../testing/chat-client.ts';
import { exemptCalls } from '../testing/openapi-check/checked-calls.ts';
import { MEMBER } from '../testing/populated-sim.ts';

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:";
const SAY = `${place(MEMBER, CHANNEL)}/messages`;
const HELLO = JSON.stringify({ content: 'hello' });

test('the page and its files are served under a strict policy, tests and types of it are not', async ({ discord }) => {
  expect(discord.chatUrl).toBe(`${discord.url}/chat`);
  const page = await ask(discord, '');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await page.text();
  const linked = [...html.matchAll(/(?:src|href)="\/chat(\/page\/[^"]+)"/g)].map(([, path]) => path ?? '');
  expect(linked.length).toBeGreaterThan(1);
  const files = readdirSync(new URL('../../page', import.meta.url)).filter((file) => /\.(js|css)$/.test(file));
  for (const path of ['', ...linked, ...files.map((file) => `/page/${file}`)]) {
    const { status, headers } = await ask(discord, path);
    expect([path, status]).toStrictEqual([path, 200]);
    expect(headers.get('content-security-policy')).toContain(POLICY);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
  for (const path of ['/page/markdown.d.ts', '/page/markdown.test.ts', '/page/index.html', '/page/..%2fchat.ts']) {
    expect((await ask(discord, path)).status).toBe(404);
  }
});

test('posts of other sites, of pages without an origin, of forms and of broken JSON are refused', async ({
  discord,
}) => {
  for (const [headers, status, body] of [
    [{ 'content-type': 'application/json', origin: 'https://evil.example' }, 403, HELLO],
    [{ 'content-type': 'application/json', origin: 'null' }, 403, HELLO],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 415, HELLO],
    [{ 'content-type': 'text/plain' }, 415, HELLO],
    [{ 'content-type': 'application/jsonp' }, 415, HELLO],
    [{ 'content-type': 'application/json' }, 400, '{'],
  ] as const) {
    const response = await fetch(`${discord.chatUrl}${SAY}`, { method: 'POST', headers, body });
    const refusal = { message: expect.any(String) };
    expect([headers, response.status, await response.json()]).toStrictEqual([headers, status, refusal]);
  }
  expect(discord.messages.all()).toHaveLength(0);
});

test('the chat uses up no fault and no rate limit, and is not in the call log', async () => {
  await using discord = await startBotSim({ rateLimit: { limit: 1, windowMs: 60_000 } });
  exemptCalls('The status of a fault is not described.');
  discord.faults.set({ kind: 'status', status: 500 }, { times: 1 });
  for (const path of ['', '/people', '/people', '/nowhere']) expect((await ask(discord, path)).status).not.toBe(500);
  expect(discord.calls.count()).toBe(0);
  expect((await fetch(`${discord.apiUrl}/users/@me`)).status).toBe(500);
  expect(discord.calls.count()).toBe(1);
});
