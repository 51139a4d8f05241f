import { EXPECTED, issuesOf, PROBLEM_SLUGS, PROBLEMS } from '@guild-settings/contract';
import { problemIn, startApi, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import Database from 'better-sqlite3';
import { afterAll, describe, expect } from 'vitest';
import { z } from 'zod';
import { OPERATIONS_BY_PATH } from '../src/operations/handlers.ts';

const { guild } = IDS;

/** For cases that change nothing. */
const api = await startApi();
afterAll(() => api[Symbol.asyncDispose]());

describe('a failure', () => {
  test('is application/problem+json with type, title, status, detail, instance, code and message', async () => {
    const answer = await api.get(guild, { token: api.tokens.plain });
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const { title, text } = PROBLEMS['not-guild-manager'];
    expect(await answer.json()).toEqual({
      type: '/problems/not-guild-manager',
      title,
      status: 403,
      detail: text,
      instance: `/guilds/${guild}`,
      code: 'FORBIDDEN',
      message: text,
    });
  });

  test('names an instance without the query', async () => {
    expect((await problemIn(await api.send('/nowhere?secret=1#x'))).instance).toBe('/nowhere');
  });

  test('inside the service is masked to the client and logged with its cause', async ({ api }) => {
    await api.get(guild);
    // The table was removed directly in the database: an unexpected error.
    const db = new Database(api.databasePath);
    db.prepare("UPDATE guilds SET settings = 'no json'").run();
    db.prepare(
      `INSERT INTO guilds (id, settings, revision, presence, updated_at)
       VALUES (?, 'secret detail', 1, 'unknown', 0)`,
    ).run(guild);
    db.close();
    for (const answer of [await api.get(guild), await api.call('guilds.get', { guild })]) {
      expect(answer.status).toBe(500);
      const body = await answer.text();
      expect(body).toContain('/problems/internal');
      expect(body).not.toContain('secret detail');
      expect(body).not.toContain('JSON');
    }
    expect(api.log()).toContain('is not valid JSON');
  });
});

describe('/problems', () => {
  test.each(PROBLEM_SLUGS)('has a short page about %s', async (slug) => {
    const page = await api.send(`/problems/${slug}`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(await page.text()).toContain(PROBLEMS[slug].title);
  });

  test.each(['constructor', '__proto__', 'toString', 'nothing'])(
    'has none about %s: own properties only',
    async (slug) => {
      expect((await api.send(`/problems/${slug}`)).status).toBe(404);
    },
  );
});

test.each([
  ['more calls in a batch than it allows', `/trpc/${Array(11).fill('guilds.get').join()}?batch=1&input=%7B%7D`],
  ['an input that is unreadable', '/trpc/guilds.get?input=%7B'],
])('tRPC refuses %s: 400', async (_name, path) => {
  expect((await api.send(path, { token: api.tokens.manager })).status).toBe(400);
});

const WRONG = [undefined, null, true, -1, 0, 0.5, 1e9, 1e20, '', 'x', ' \u0007'.repeat(3_000), [], Array(70_000), {}];

/** Values that are invalid for a schema: each invalid value in each place. */
function* wrongFor(schema: unknown): Generator<unknown> {
  yield* WRONG;
  if (schema instanceof z.ZodObject) {
    for (const [name, part] of Object.entries(schema.shape)) {
      for (const value of wrongFor(part)) yield { [name]: value };
    }
    yield { another: 1 };
  }
  if (schema instanceof z.ZodArray) for (const value of wrongFor(schema.element)) yield [value];
  if (schema instanceof z.ZodUnion) for (const option of schema.options) yield* wrongFor(option);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) yield* wrongFor(schema.unwrap());
  if (schema instanceof z.ZodPipe) yield* wrongFor(schema.in);
}

test.each([...OPERATIONS_BY_PATH])(
  'each wrong input of %s is explained in the words of the service',
  (_path, { input }) => {
    const messages = new Set<string>();
    for (const wrong of wrongFor(input)) {
      const { error } = input.safeParse(wrong, EXPECTED);
      for (const { message } of error === undefined ? [] : issuesOf(error)) messages.add(message);
    }
    expect([...messages].filter((message) => !/^(?:expected |unknown field ")/.test(message))).toStrictEqual([]);
    expect([...messages].filter((message) => /\b1 \w+s\b/.test(message))).toStrictEqual([]);
  },
);
