import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { BOT } from '@guild-settings/discord-sim/testing/world';
import { revisionTagIn, startApi, type TestApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import Database from 'better-sqlite3';
import type { OpenAPIObject } from 'trpc-openapi';
import { afterAll, describe, expect } from 'vitest';

const { guild } = IDS;
const api = await startApi();
afterAll(() => api[Symbol.asyncDispose]());

describe('/healthz and /readyz', () => {
  test('say that the process is alive and ready, and that the token of the bot is missing', async () => {
    expect(await (await api.send('/healthz')).json()).toEqual({ status: 'ok' });
    expect(await (await api.send('/readyz')).json()).toEqual({
      status: 'ok',
      checks: { storeReadable: 'ok', storeWritable: 'ok', accepting: 'ok' },
      botToken: 'missing',
    });
    await using withToken = await startApi({ DISCORD_BOT_TOKEN: BOT.token });
    expect(await (await withToken.send('/readyz')).json()).not.toHaveProperty('botToken');
  });
});

describe('the store', () => {
  test('that another process has locked is 503 with Retry-After, other requests do not wait, and nothing is half-applied', async ({
    api,
  }) => {
    const db = new Database(api.databasePath);
    db.exec('BEGIN IMMEDIATE');
    let isRefused = false;
    const changing = api.patch(guild, { beta: true }).finally(() => {
      isRefused = true;
    });
    expect((await api.send('/healthz')).status).toBe(200);
    expect((await api.get(guild)).status).toBe(200);
    expect(isRefused).toBe(false);
    const answer = await changing;
    db.exec('ROLLBACK');
    db.close();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    expect(revisionTagIn(await api.get(guild))).toBe('"0"');
    expect((await api.patch(guild, { beta: true })).status).toBe(200);
  });
});

describe('/metrics', () => {
  test('count requests by route and status, auth look-ups, calls to Discord and store operations', async ({ api }) => {
    await api.get(guild);
    await api.get(guild);
    await api.get(guild, { token: api.tokens.unknown });
    await api.patch(guild, { beta: true });
    await api.send('/nowhere/at/all');
    const answer = await api.send('/metrics');
    expect(answer.headers.get('content-type')).toContain('text/plain');
    const text = await answer.text();
    for (const line of [
      'http_request_duration_seconds_count{method="GET",route="/guilds/:guild",status="200"} 2',
      'http_request_duration_seconds_count{method="PATCH",route="/guilds/:guild",status="200"} 1',
      'http_request_duration_seconds_count{method="GET",route="none",status="404"} 1',
      'auth_cache_lookups_total{result="miss"} 2',
      'auth_cache_lookups_total{result="hit"} 2',
      'discord_request_duration_seconds_count{endpoint="/oauth2/@me",outcome="ok"} 1',
      'discord_request_duration_seconds_count{endpoint="/oauth2/@me",outcome="rejected"} 1',
      'store_operation_duration_seconds_count{operation="write"} 1',
      'store_ready{check="read"} 1',
      'store_ready{check="write"} 1',
    ]) {
      expect(text).toContain(line);
    }
  });
});

describe('the rate limit', () => {
  test('is per principal, and stated in RateLimit, RateLimit-Policy and Retry-After', async () => {
    await using api = await startApi({ RATE_LIMIT_PER_MINUTE: '3' });
    const first = await api.get(guild);
    expect(first.headers.get('ratelimit-policy')).toBe('"principal";q=3;w=60');
    expect(first.headers.get('ratelimit')).toBe('"principal";r=2;t=60');
    await api.get(guild);
    await api.patch(guild, { beta: true });
    const over = await api.get(guild);
    expect(over.status).toBe(429);
    expect(over.headers.get('ratelimit')).toMatch(/^"principal";r=0;t=\d+$/);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await api.get(guild, { token: api.tokens.owner })).status).toBe(200);
  });

  test('counts each call of a batch', async () => {
    await using api = await startApi({ RATE_LIMIT_PER_MINUTE: '3' });
    const input = encodeURIComponent(JSON.stringify({ 0: { guild }, 1: { guild }, 2: { guild }, 3: { guild } }));
    const path = `/trpc/guilds.get,guilds.get,guilds.get,guilds.get?batch=1&input=${input}`;
    const answer = await api.send(path, { token: api.tokens.manager });
    const results = (await answer.json()) as { error?: { data: { httpStatus: number } } }[];
    expect(results.map((one) => one.error?.data.httpStatus ?? 200).sort()).toEqual([200, 200, 200, 429]);
  });
});

describe('/docs', () => {
  test('loads nothing from anywhere else', async () => {
    const page = await api.send('/docs');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const links = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]);
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(link).not.toMatch(/^(https?:)?\/\//);
  });

  test('runs of the scripts within it those alone whose hashes its policy has', async () => {
    const page = await api.send('/docs');
    const policy = page.headers.get('content-security-policy') ?? '';
    const [, scripts = ''] = /script-src ([^;]*)/.exec(policy) ?? [];
    const inline = [...(await page.text()).matchAll(/<script(?: type="text\/javascript")?>([\s\S]*?)<\/script>/g)];
    const hashes = inline.map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
    expect(hashes.length).toBeGreaterThan(0);
    expect(scripts.split(' ')).toStrictEqual(["'self'", ...hashes]);
  });

  test('/openapi.json is the committed document with the version of the package, and the page selects its security scheme', async () => {
    const document = await (await api.send('/openapi.json')).json();
    expect(document).toEqual(JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')));
    const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect(document).toMatchObject({ info: { version: manifest.version } });
    const [scheme = ''] = Object.keys((document as OpenAPIObject).components?.securitySchemes ?? {});
    expect(await (await api.send('/docs')).text()).toContain(`"preferredSecurityScheme": "${scheme}"`);
  });

  test('has the groups in the order in which a caller needs them, each of them', async () => {
    const html = await (await api.send('/docs')).text();
    const [, order = '[]'] = /"tagsSorter":[^[]*(\[[^\]]*\])/.exec(html) ?? [];
    const { tags = [] } = (await (await api.send('/openapi.json')).json()) as OpenAPIObject;
    const names = [...order.matchAll(/["'](\w+)["']/g)].map(([, name]) => name);
    expect(names.toSorted()).toEqual(tags.map(({ name }) => name));
    expect([names[0], names.at(-1)]).toEqual(['guilds', 'service']);
  });

  test('shows no token but the one that it was given for everybody', async () => {
    await using open = await startApi({ DISCORD_BOT_TOKEN: 'bot-secret' }, { publicToken: 'for-everybody' });
    const htmlOf = async (service: TestApi) => (await service.send('/docs')).text();
    const [shown, usual] = await Promise.all([open, api].map(htmlOf));
    expect(shown).toContain('"token": "for-everybody"');
    expect(shown).not.toContain('bot-secret');
    expect(usual).not.toContain('"token"');
  });

  test.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', '/docs'],
    ['*/*', '/docs'],
    ['', '/docs'],
    ['application/json, text/plain, */*', '/openapi.json'],
    ['application/json', '/openapi.json'],
  ])('/ leads a client that accepts "%s" to %s', async (accept, location) => {
    const { statusCode, headers } = await api.app.inject({ path: '/', headers: accept === '' ? {} : { accept } });
    expect([statusCode, headers.location]).toStrictEqual([302, location]);
    expect(headers.vary).toContain('Accept');
  });
});
