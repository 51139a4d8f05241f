import { createGuildSettingsClient } from '@guild-settings/client';
import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import { GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { openReplica } from '@guild-settings/replica';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import { expect } from 'vitest';
import { retryConnection } from './testing/client-calls.ts';
import { type RestartableApi, test } from './testing/restartable-api.ts';

const token = tokenOf('application');
const [{ id: set }, { id: unset } = { id: '' }] = GUILDS;

const settings = defineSettings({
  settings: {
    xpRate: { kind: 'integer', min: 0, max: 100, default: 5, label: { 'en-US': 'XP rate' } },
    greeting: { kind: 'text', max: 100, default: 'Hello', label: { 'en-US': 'Greeting' } },
  },
});
const withDefaults = (xpRate: number, prefix: string): Declaration => ({
  settings: { ...settings.settings, xpRate: { ...settings.settings.xpRate, default: xpRate } },
  defaults: { prefix },
});

/** Restarts the service with another declaration. */
async function serve(api: RestartableApi, declaration?: Declaration): Promise<void> {
  await api.stop();
  await api.start(declaration);
}

test('a bot has the settings that the service declares, and a changed default after a restart of the service', async ({
  api,
}) => {
  using folder = temporaryFolder();
  await serve(api, settings);
  const client = createGuildSettingsClient({ url: api.url, token, settings });
  const replica = openReplica({ apiUrl: api.url, credentials: token, path: folder.file('bot.db'), settings });
  const notified: unknown[] = [];
  replica.on('declaration', () => notified.push('declaration'));
  replica.on('change', (guild, before, after) => notified.push([guild, before.custom.xpRate, after.custom.xpRate]));
  const values = () => [set, unset].map((guild) => [replica.get(guild).prefix, replica.get(guild).custom.xpRate]);
  await replica.waitUntilLive();
  expect(notified.splice(0)).toEqual(['declaration']);
  expect(replica.declared.custom?.map(({ name }) => name)).toEqual(['xpRate', 'greeting']);

  const { custom } = await client.guilds.update.mutate({ guild: set, prefix: '$', custom: { xpRate: 50 } });
  expect(custom).toEqual({ xpRate: 50, greeting: 'Hello' });
  await waitUntil(() => notified.length === 1, { message: 'the change' });
  expect(notified.splice(0)).toEqual([[set, 5, 50]]);
  // A record of a guild that has set nothing.
  await client.guilds.update.mutate({ guild: unset, beta: true });
  await waitUntil(() => notified.length === 1, { message: 'the other change' });
  expect(notified.splice(0)).toEqual([[unset, 5, 5]]);

  await serve(api, withDefaults(7, '%'));
  await waitUntil(() => notified.length === 1, { message: 'the changed default' });
  expect(values()).toEqual([
    ['$', 50],
    ['%', 7],
  ]);
  await serve(api);
  await waitUntil(() => notified.length === 2, { message: 'that nothing is declared' });
  expect(values()).toEqual([
    ['$', 5],
    ['!', 5],
  ]);
  await serve(api, withDefaults(8, '&'));
  await waitUntil(() => notified.length === 3, { message: 'that settings are declared again' });
  expect(values()).toEqual([
    ['$', 50],
    ['&', 8],
  ]);
  expect(notified).toEqual(['declaration', 'declaration', 'declaration']);
  expect(replica.status.differences).toEqual([{ name: 'xpRate', why: 'default' }]);
  await replica.close();
});

test('a bot that has followed a service without a declaration has all guilds right after the first one', async ({
  api,
}) => {
  using folder = temporaryFolder();
  const client = createGuildSettingsClient({ url: api.url, token, settings });
  const change = (guild: string, prefix: string) =>
    retryConnection(() => client.guilds.update.mutate({ guild, prefix, beta: true }));
  const replica = openReplica({ apiUrl: api.url, credentials: token, path: folder.file('bot.db'), settings });
  await replica.waitUntilLive();
  await change(set, '$');
  await client.guilds.update.mutate({ guild: unset, beta: true });
  await waitUntil(() => replica.get(unset).beta, { message: 'the changes' });
  await serve(api, withDefaults(7, '%'));
  await waitUntil(() => replica.get(unset).prefix === '%', { message: 'the default of the deployment' });
  expect([set, unset].map((guild) => replica.get(guild))).toMatchObject([
    { prefix: '$', beta: true, custom: { xpRate: 7, greeting: 'Hello' } },
    { prefix: '%', beta: true, custom: { xpRate: 7, greeting: 'Hello' } },
  ]);
  await replica.waitUntilLive();
  await replica.close();
});

test('a value that sleeps while its setting is not declared is in use in every bot when it is declared again', async ({
  api,
}) => {
  using folder = temporaryFolder();
  await serve(api, settings);
  const client = createGuildSettingsClient({ url: api.url, token, settings });
  await client.guilds.update.mutate({ guild: set, custom: { xpRate: 50, greeting: 'Hi' } });
  const { greeting } = settings.settings;
  await serve(api, { settings: { greeting } });
  const replica = openReplica({ apiUrl: api.url, credentials: token, path: folder.file('bot.db'), settings });
  await replica.waitUntilLive();
  expect(replica.get(set).custom).toEqual({ xpRate: 5, greeting: 'Hi' });
  expect(replica.status.differences).toEqual([{ name: 'xpRate', why: 'missing' }]);
  await serve(api, settings);
  await waitUntil(() => replica.status.differences === undefined, { message: 'the declaration' });
  expect(replica.get(set).custom).toEqual({ xpRate: 50, greeting: 'Hi' });
  await replica.close();
});
