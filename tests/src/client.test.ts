import {
  createGuildSettingsClient,
  hasProblem,
  isGuildSettingsError,
  problemOf,
  withRequest,
} from '@guild-settings/client';
import { type Language, LIMITS } from '@guild-settings/contract';
import { GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { rejectionOf } from '@guild-settings/testing';
import { expect } from 'vitest';
import { countingFetch } from './testing/client-calls.ts';
import { startTestSandbox, type TestSandbox, test } from './testing/test-sandbox.ts';

const guild = GUILDS[0].id;

function clientOf({ apiUrl }: TestSandbox, role: Parameters<typeof tokenOf>[0] = 'manager') {
  return createGuildSettingsClient({ url: apiUrl, token: tokenOf(role) });
}

test('a manager reads and changes a guild, typed', async ({ sandbox }) => {
  const client = clientOf(sandbox);
  const before = await client.guilds.get.query({ guild });
  expect(before).toMatchObject({ name: 'Discord Testers', prefix: '!', enabledFeatures: [] });
  const after = await client.guilds.update.mutate({ guild, prefix: '?', enabledFeatures: ['reminders'] });
  expect(after).toStrictEqual({ ...before, prefix: '?', enabledFeatures: ['reminders'] });
  expect(await client.guilds.get.query({ guild })).toStrictEqual(after);
});

test('a record that was read can be sent back as it is', async ({ sandbox }) => {
  const client = clientOf(sandbox);
  const record = await client.guilds.get.query({ guild });
  // A later service may have more languages, which it takes back; the type of the input has those of this version.
  const language = record.language as Language;
  expect(await client.guilds.update.mutate({ guild, ...record, language })).toStrictEqual(record);
});

test('25 simultaneous reads are three requests', async ({ sandbox }) => {
  const { fetch, requests } = countingFetch();
  const client = createGuildSettingsClient({ url: sandbox.apiUrl, token: tokenOf('owner'), fetch });
  const wanted = Array.from({ length: 25 }, (_, n) => GUILDS[n % GUILDS.length]?.id ?? '');
  const records = await Promise.all(wanted.map((id) => client.guilds.get.query({ guild: id })));
  expect(records.map(({ id }) => id)).toStrictEqual(wanted);
  expect(requests).toHaveLength(3);
});

test('the service refuses a batch of eleven', async ({ sandbox }) => {
  const batchOf = (length: number) => {
    const path = Array.from({ length }, () => 'guilds.get').join(',');
    const input = JSON.stringify(Object.fromEntries(Array.from({ length }, (_, n) => [n, { guild }])));
    const address = `${sandbox.apiUrl}/trpc/${path}?batch=1&input=${encodeURIComponent(input)}`;
    return fetch(address, { headers: { authorization: `Bearer ${tokenOf('manager')}` } });
  };
  expect((await batchOf(LIMITS.batchCalls)).status).toBe(200);
  expect((await batchOf(LIMITS.batchCalls + 1)).status).toBe(400);
});

test('a change with an outdated If-Match is refused, with the current record', async ({ sandbox }) => {
  const client = clientOf(sandbox);
  const seen: string[] = [];
  const onEtag = (etag: string) => seen.push(etag);
  await client.guilds.get.query({ guild }, withRequest({ onEtag }));
  const [read = ''] = seen;
  await client.guilds.update.mutate({ guild, prefix: '?' }, withRequest({ ifMatch: read, onEtag }));
  expect(seen).toStrictEqual(['"0"', expect.stringMatching(/^"1-[0-9a-z]{10}"$/)]);

  const error = await rejectionOf(client.guilds.update.mutate({ guild, prefix: '>' }, withRequest({ ifMatch: read })));
  expect(hasProblem(error, 'revision-mismatch')).toBe(true);
  expect(problemOf(error)).toMatchObject({
    status: 412,
    current: { id: guild, prefix: '?' },
    conflicts: [{ field: 'prefix', from: '!', to: '?', revision: 1 }],
  });
  // Clients from before there were conflicts accept no other fields in the problem.
  const sent = isGuildSettingsError(error) ? error.data?.problem : undefined;
  expect(sent).toMatchObject({ status: 412 });
  expect(sent).not.toHaveProperty('conflicts');
});

test('a reason in any script is accepted, and one that is too long is refused', async ({ sandbox }) => {
  const client = clientOf(sandbox);
  const change = (auditReason: string) =>
    client.guilds.update.mutate({ guild, prefix: '?' }, withRequest({ auditReason }));
  expect(await change('по просьбе модератора 🎉 100%')).toMatchObject({ prefix: '?' });
  expect(hasProblem(await rejectionOf(change('x'.repeat(LIMITS.reason + 1))), 'invalid-request')).toBe(true);
});

test('the application acts on behalf of a user, and only of a valid user id', async ({ sandbox }) => {
  const client = clientOf(sandbox, 'application');
  const change = (onBehalfOf: string) =>
    client.guilds.update.mutate({ guild, beta: true }, withRequest({ onBehalfOf }));
  expect(await change('53908099506183680')).toMatchObject({ beta: true });
  expect(hasProblem(await rejectionOf(change('somebody')), 'invalid-request')).toBe(true);
});

test.each([
  ['member', 'not-guild-manager'],
  ['stranger', 'not-guild-manager'],
  ['expired', 'invalid-token'],
  ['foreign', 'invalid-token'],
] as const)('the %s is refused: %s', async (role, slug) => {
  await using sandbox = await startTestSandbox();
  expect(hasProblem(await rejectionOf(clientOf(sandbox, role).guilds.get.query({ guild })), slug)).toBe(true);
});

test('only the application reports presence', async ({ sandbox }) => {
  const report = { type: 'present', guild: { id: guild, name: 'Renamed', icon: null } } as const;
  const error = await rejectionOf(clientOf(sandbox).presence.report.mutate(report));
  expect(hasProblem(error, 'application-only')).toBe(true);
  await clientOf(sandbox, 'application').presence.report.mutate(report);
  expect(await clientOf(sandbox).guilds.get.query({ guild })).toMatchObject({ name: 'Renamed' });
});

test('all issues of an input are reported at once', async ({ sandbox }) => {
  const wrong = { guild, prefix: 'x'.repeat(21), announcement_channel: 'x'.repeat(101) };
  const error = await rejectionOf(clientOf(sandbox).guilds.update.mutate(wrong));
  expect(problemOf(error)?.issues?.map(({ pointer }) => pointer)).toStrictEqual(['/prefix', '/announcement_channel']);
});
