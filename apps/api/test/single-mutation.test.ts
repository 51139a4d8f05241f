import { printedSeed, repetitions } from '@guild-settings/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Sent, startApi, type TestApi } from '../src/testing/api-resource.ts';
import { IDS } from '../src/testing/people.ts';

const { guild, otherGuild } = IDS;

/** The changes of a refused request, and of one that changes nothing, are the same: none. */
const UNCHANGED = JSON.stringify({ guild, prefix: '!' });

const watcher = { watcher: { id: 'a-watcher-0', name: 'bot' }, shards: [{ id: 0, count: 1 }] };

const BODIES = [
  UNCHANGED,
  UNCHANGED,
  JSON.stringify({ guild, prefix: '' }),
  JSON.stringify({ guild, prefix: '!', unknown: 1 }),
  JSON.stringify({ guild: otherGuild, prefix: '!' }),
  JSON.stringify({ guild: 'x' }),
  JSON.stringify({ ...watcher, cursor: { epoch: 'other', revision: 1 } }),
  JSON.stringify({ ...watcher, cursor: { epoch: 'other', revision: -1 } }),
  JSON.stringify({ snapshot: 1 }),
  `{"guild":"${guild}","prefix":"${'x'.repeat(20_000)}"}`,
  `${'['.repeat(40)}${']'.repeat(40)}`,
  '{"guild":',
  '"text"',
  'null',
  '',
  '\u0000',
] as const;

const PATHS = ['guilds.update', 'guilds.acknowledge', 'presence.report', 'users.forget', 'guilds.undo'] as const;

/** A response without what differs between any two, and without its framing: tRPC's has no length. */
async function answerTo(api: TestApi, path: string, sent: Sent) {
  const response = await api.send(path, { method: 'POST', ...sent });
  const headers = Object.fromEntries(response.headers);
  const body = await response.text();
  for (const name of ['date', 'x-request-id', 'ratelimit', 'content-length', 'transfer-encoding']) delete headers[name];
  return { status: response.status, headers, body };
}

/** A parameter without a meaning. tRPC itself serves a request with a query. */
const LONG_WAY = '?long-way';

test('one mutation has the response of tRPC, byte for byte, for every caller, body and header', async () => {
  await using api = await startApi({ RATE_LIMIT_PER_MINUTE: '100000', LOG_LEVEL: 'error' });
  await api.patch(guild, { prefix: '!' });
  const tokens = Object.keys(api.tokens) as (keyof typeof api.tokens)[];
  const call = fc.record({
    path: fc.constantFrom(...PATHS),
    token: fc.constantFrom(undefined, ...tokens, 'manager' as const, 'application' as const),
    body: fc.constantFrom(...BODIES),
    type: fc.constantFrom(
      'application/json',
      'application/json',
      'application/json; charset=utf-8',
      'text/plain',
      undefined,
    ),
    headers: fc.constantFrom<Record<string, string>>(
      {},
      {},
      { 'if-match': '"1"' },
      { 'if-match': '"7"' },
      { 'if-match': 'nonsense' },
      { 'x-on-behalf-of': '53908099506183680' },
      { 'x-on-behalf-of': 'x' },
      { 'x-audit-log-reason': '%E0%A4%A' },
      { prefer: 'wait=0' },
      { prefer: 'wait=x' },
      { accept: 'application/jsonl', 'trpc-accept': 'application/jsonl' },
      { origin: 'https://dashboard.example' },
      { 'content-encoding': 'gzip' },
    ),
  });
  const seed = printedSeed('single-mutation');
  await fc.assert(
    fc.asyncProperty(call, async ({ path, token, body, type, headers }) => {
      const sent: Sent = {
        ...(token && { token: api.tokens[token] }),
        body,
        headers: { ...headers, ...(type && { 'content-type': type }) },
      };
      const short = await answerTo(api, `/trpc/${path}`, sent);
      expect(short).toEqual(await answerTo(api, `/trpc/${path}${LONG_WAY}`, sent));
    }),
    { numRuns: repetitions(200, 2_000), seed },
  );
});
