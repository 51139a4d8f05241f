import { printedSeed, repetitions } from '@guild-settings/testing';
import { anyCharacter } from '@guild-settings/testing/any-character';
import { revisionIn, startApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { readChanges } from '@guild-settings/testing/stores';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const REQUESTS = repetitions(400, 50_000);
const AT_ONCE = 8;
const { guild } = IDS;

const method = fc.constantFrom('GET', 'PATCH', 'PATCH', 'PATCH', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE');

const path = fc.oneof(
  { weight: 14, arbitrary: fc.constantFrom(guild, IDS.otherGuild, IDS.bigGuild).map((id) => `/guilds/${id}`) },
  fc.stringMatching(/^\d{15,21}$/).map((id) => `/guilds/${id}`),
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => `/guilds/${encodeURIComponent(text)}`),
  fc.stringMatching(/^[!-~]{0,30}$/).map((text) => `/${text.replaceAll('#', '')}`),
  fc.constantFrom(
    '/healthz',
    '/readyz',
    '/metrics',
    '/docs',
    '/openapi.json',
    '/problems/internal',
    '/problems/__proto__',
  ),
  fc.constantFrom(
    '/trpc/guilds.get',
    '/trpc/guilds.update',
    '/trpc/guilds.get,guilds.get?batch=1',
    '/trpc/presence.report',
  ),
  fc
    .string({ unit: anyCharacter, maxLength: 20 })
    .map((text) => `/guilds/${guild}?${encodeURIComponent(wellFormed(text))}`),
);

const headerText = fc.stringMatching(/^[\x20-\x7e\x80-\xff]{0,40}$/);

const goodHeaders = fc.record(
  {
    'content-type': fc.constantFrom('application/json', 'application/json; charset=utf-8'),
    'if-match': fc.constantFrom('*', '*', '"1"'),
    'x-audit-log-reason': fc.constant('by%20chance'),
  },
  { requiredKeys: ['content-type'] },
);

const oddHeaders = fc.record(
  {
    'if-match': fc.oneof(fc.constantFrom('*', '"0"', '"1"', 'W/"1"'), headerText),
    'if-none-match': fc.oneof(fc.constantFrom('*', '"0"', '"1"'), headerText),
    'x-audit-log-reason': fc.oneof(
      fc.string().map((text) => encodeURIComponent(wellFormed(text))),
      headerText,
    ),
    'x-on-behalf-of': fc.oneof(fc.constant(IDS.owner), headerText),
    'x-request-id': headerText,
    'content-type': fc.oneof(
      { weight: 6, arbitrary: fc.constant('application/json') },
      fc.constantFrom('application/merge-patch+json', 'text/plain', 'application/json; charset=latin1'),
      headerText,
    ),
    'content-encoding': fc.constantFrom('identity', 'gzip', 'br'),
    accept: headerText,
    cookie: headerText,
    origin: fc.constantFrom('https://dash.example', 'null', 'https://evil.example'),
  },
  { requiredKeys: [] },
);

const headers = fc.oneof({ weight: 2, arbitrary: goodHeaders }, oddHeaders);

const value = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 30 }),
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  fc.constantFrom('en-US', 'hi', 'ru', 'no', '', 'reminders'),
  fc.array(fc.string({ maxLength: 70 }), { maxLength: 70 }),
);

const goodPatch = fc.record(
  {
    prefix: fc.stringMatching(/^[!-~]{0,20}$/),
    announcement_channel: fc.stringMatching(/^\d{0,20}$/),
    beta: fc.boolean(),
    language: fc.constantFrom('en-US', 'hi', 'ru', 'ja', 'es-ES'),
    enabledFeatures: fc.uniqueArray(fc.stringMatching(/^[a-z]{1,9}$/), { maxLength: 5 }),
  },
  { requiredKeys: [] },
);

const body = fc.oneof(
  { weight: 9, arbitrary: goodPatch.map((fields) => JSON.stringify(fields)) },
  {
    weight: 5,
    arbitrary: fc
      .dictionary(
        fc.constantFrom('id', 'name', 'icon', 'prefix', 'announcement_channel', 'beta', 'language', 'enabledFeatures'),
        value,
        { maxKeys: 3 },
      )
      .map((fields) => JSON.stringify(fields)),
  },
  fc.dictionary(fc.string(), value, { maxKeys: 3 }).map((fields) => JSON.stringify(fields)),
  fc.json(),
  fc.string({ maxLength: 200 }),
  fc.constant('x'.repeat(17_000)),
);

const who = fc.constantFrom(
  'manager',
  'manager',
  'manager',
  'owner',
  'application',
  'plain',
  'expired',
  'none',
  'garbage',
);

const anyRequest = fc.record({ method, path, headers, body, who });

test(`${REQUESTS} generated requests: no 5xx, no answer outside the document, no error that changed a record`, async () => {
  const seed = printedSeed('fuzz');
  await using api = await startApi({ LOG_LEVEL: 'error', CORS_ORIGINS: 'https://dash.example' });
  const requests = fc.sample(anyRequest, { seed, numRuns: REQUESTS });
  const counts = new Map<number, number>();
  const acknowledged = new Set<number>();
  let changes = 0;
  let erasures = 0;
  let logged = 0;

  const run = async ({ method, path, headers, body, who }: (typeof requests)[number]) => {
    const token = who === 'none' ? undefined : who === 'garbage' ? 'not a token' : api.tokens[who as 'manager'];
    const withBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
    const described = JSON.stringify({ seed, method, path, headers, body: body.slice(0, 200), who });
    // Sending includes the check against the document.
    const answer = await api
      .send(path, { method, headers, ...(token !== undefined && { token }), ...(withBody && { body }) })
      .catch((error: unknown) => {
        throw new Error(`${described}\n${String(error)}`);
      });
    expect(answer.status, described).toBeLessThan(500);
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1);
    const isChange = answer.ok && (method === 'PATCH' || method === 'POST');
    if (answer.ok && method === 'DELETE') erasures += 1;
    if (isChange) acknowledged.add(revisionIn(answer));
  };

  for (let index = 0; index < requests.length; index += AT_ONCE) {
    await Promise.all(requests.slice(index, index + AT_ONCE).map(run));
    // Every change was acknowledged by a success: errors changed nothing.
    const lines = readChanges(api, changes);
    changes = lines.at(-1)?.revision ?? changes;
    // The log line of an erasure has a revision, which its response does not contain.
    const isErasure = ({ actor_id }: (typeof lines)[number]) => actor_id === 'request';
    logged += lines.filter(isErasure).length;
    expect(logged).toBeLessThanOrEqual(erasures);
    const others = lines.filter((line) => !isErasure(line) && !acknowledged.has(line.revision));
    expect(others, `seed ${seed}, requests ${index} to ${index + AT_ONCE}`).toEqual([]);
  }
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
  for (const status of [200, 204, 400, 401, 403, 404, 405, 412, 415]) {
    expect(counts.get(status), `the run never saw ${status}`).toBeGreaterThan(0);
  }
  expect(changes).toBeGreaterThan(REQUESTS / 100);
});

function wellFormed(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '?');
}
