import { createGuildSettingsClient } from '@guild-settings/client';
import { PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import { afterAll, expect, test } from 'vitest';
import { startRestartableApi } from './testing/restartable-api.ts';
import { startTestBot } from './testing/test-bot.ts';

const idOf = (index: number) => `20000000000004${1_000 + index}`;
const [OLD, SPANISH, ENGLISH, FRENCH, SET, LAST, OFF] = [1, 2, 3, 4, 5, 6, 7].map(idOf) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];

const folder = temporaryFolder();
const api = await startRestartableApi();
const { world } = api.discord;
const settings = createGuildSettingsClient({ url: api.url, token: tokenOf('application') });

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

type Locale = Parameters<typeof world.addGuild>[0]['preferredLocale'] & string;

function join(id: string, preferredLocale: Locale): void {
  world.addGuild({ id, name: preferredLocale, ownerId: PEOPLE.owner.id, preferredLocale });
  world.addBotToGuild(id);
}

const startBot = (name: string, env: NodeJS.ProcessEnv = {}) =>
  startTestBot({ apiUrl: api.url, discord: api.discord, path: `${folder.path}/${name}.db`, env });
const languageOf = async (guild: string) => (await settings.guilds.get.query({ guild })).language;
const historyOf = async (guild: string, kind: 'settings' | 'platform' = 'settings') => {
  // The service does not have the guild until it is reported.
  const page = await settings.guilds.history.query({ guild, kind }).catch(() => undefined);
  return page?.entries ?? [];
};
const reported = (guild: string) =>
  waitUntil(async () => (await historyOf(guild, 'platform')).length > 0, { message: 'a reported guild' });
const changed = (guild: string) =>
  waitUntil(async () => (await historyOf(guild)).length > 0, { message: 'a changed guild' });

test('a server that the bot joins has its own language, once, as a change of the application', async () => {
  join(OLD, 'ru');
  await using _bot = await startBot('one');
  // Two processes may receive the same event.
  await using _other = await startBot('two');
  await reported(OLD);
  join(SPANISH, 'es-419');
  await changed(SPANISH);
  expect(await languageOf(SPANISH)).toBe('es-ES');
  expect(await historyOf(SPANISH)).toMatchObject([
    { actor: { kind: 'application' }, reason: 'The language of the server', changes: { language: { to: 'es-ES' } } },
  ]);

  // Neither the default language, nor one without texts, is set.
  join(ENGLISH, 'en-GB');
  join(FRENCH, 'fr');
  // An outage is not a join, nor is a server that was there at the start.
  world.setUnavailable(OLD, true);
  world.setUnavailable(OLD, false);
  join(LAST, 'ja');
  await changed(LAST);
  for (const guild of [OLD, ENGLISH, FRENCH]) {
    expect(await languageOf(guild)).toBe('en-US');
    expect(await historyOf(guild)).toEqual([]);
  }
});

test('a server that had settings when the bot left keeps them, also the defaults', async () => {
  join(SET, 'ja');
  await using _bot = await startBot('three');
  await reported(SET);
  await settings.guilds.update.mutate({ guild: SET, prefix: '?' });
  await settings.guilds.update.mutate({ guild: SET, prefix: '!' });
  world.removeBotFromGuild(SET);
  world.addBotToGuild(SET);
  world.removeBotFromGuild(FRENCH);
  world.updateGuild(FRENCH, { preferredLocale: 'hi' });
  world.addBotToGuild(FRENCH);
  await changed(FRENCH);
  expect(await languageOf(SET)).toBe('en-US');
});

test('JOIN_LANGUAGE=off leaves the default', async () => {
  await using _bot = await startBot('four', { JOIN_LANGUAGE: 'off' });
  join(OFF, 'ja');
  await reported(OFF);
  expect(await languageOf(OFF)).toBe('en-US');
});
