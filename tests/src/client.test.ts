import {
  createGuildSettingsClient,
  hasProblem,
  isGuildSettingsError,
  problemOf,
  withRequest,
} from '@guild-settings/client';
import { GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { rejectionOf } from '@guild-settings/testing';
import { expect } from 'vitest';
import { type TestSandbox, test } from './testing/test-sandbox.ts';

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
  // Clients that are older than conflicts accept no other fields in the problem.
  const sent = isGuildSettingsError(error) ? error.data?.problem : undefined;
  expect(sent).toMatchObject({ status: 412 });
  expect(sent).not.toHaveProperty('conflicts');
});
