import { createGuildSettingsClient } from '@guild-settings/client';
import { defineSettings } from '@guild-settings/contract/settings';
import {
  reportPresence,
  type SettingsCommandOptions,
  type SettingsTexts,
  settingsCommand,
} from '@guild-settings/discord';
import type { Message, SlashHandle } from '@guild-settings/discord-sim';
import { APPLICATION, BOT, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { openReplica } from '@guild-settings/replica';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import { Client, PermissionFlagsBits, Routes } from 'discord.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RestartableApi, startRestartableApi } from './testing/restartable-api.ts';
import { buttonsOf } from './testing/settings-desk.ts';

const { manager, owner } = PEOPLE;
const DECLARATION = defineSettings({
  groups: { welcome: { label: { 'en-US': 'Welcome', fr: 'Accueil' } } },
  settings: {
    greet: {
      kind: 'switch',
      default: false,
      group: 'welcome',
      label: { 'en-US': 'Greet', fr: 'Saluer', ru: 'Встречать' },
    },
    rate: { kind: 'number', min: 0, max: 5_000, decimals: 2, default: 1, label: { 'en-US': 'Rate', fr: 'Taux' } },
    wait: { kind: 'duration', min: 0, max: 90_000, default: 5_400, label: { 'en-US': 'Wait', fr: 'Attente' } },
    roles: { kind: 'role', many: { max: 5 }, label: { 'en-US': 'Roles' } },
    everywhere: { kind: 'channel', many: { max: 100 }, label: { 'en-US': 'Everywhere' } },
    steps: {
      kind: 'table',
      max: 3,
      columns: { at: { kind: 'integer', min: 1, max: 9, label: { 'en-US': 'At', fr: 'À' } } },
      label: { 'en-US': 'Steps', fr: 'Étapes' },
    },
  },
});

const folder = temporaryFolder();
let api: RestartableApi;
let [guilds, bots] = [0, 0];

beforeAll(async () => {
  api = await startRestartableApi();
  await api.stop();
  await api.start(DECLARATION);
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Starts a bot with the command in its own guild. The owner and the manager use it, each a few times. */
async function startBot(options: Partial<SettingsCommandOptions>) {
  guilds += 1;
  const { world, people, messages, calls, apiUrl } = api.discord;
  const guild = { id: `20000000000002${1_000 + guilds}`, channel: `30000000000002${1_000 + guilds}` };
  world.addGuild({ id: guild.id, name: 'Guild', ownerId: owner.id });
  world.addMember(guild.id, manager.id, {
    permissions: PermissionFlagsBits.SendMessages | PermissionFlagsBits.ManageGuild,
  });
  world.addChannel({ id: guild.channel, guildId: guild.id, name: 'general' });
  world.addBotToGuild(guild.id);
  const client = new Client({
    intents: ['Guilds', 'GuildMessages', 'MessageContent'],
    rest: { api: apiUrl.replace(/\/v10$/, '') },
  });
  const service = createGuildSettingsClient({ url: api.url, token: tokenOf('application') });
  bots += 1;
  const replica = openReplica({
    apiUrl: api.url,
    credentials: tokenOf('application'),
    path: `${folder.path}/${bots}.db`,
  });
  const presence = reportPresence(client, service);
  const errors: Error[] = [];
  let settings = settingsCommand(client, {
    service,
    replica,
    onError: (error) => void errors.push(error),
    ...options,
  });
  await client.login(BOT.token);
  const name = options.name ?? 'settings';
  await waitUntil(() => world.commandsOf(APPLICATION.id).some((command) => command.name === name), { message: name });
  await waitUntil(() => replica.status.state === 'LIVE' && replica.has(guild.id), { message: 'the guild' });
  const slash = (command: string, values = {}, locale = 'en-US', user: { readonly id: string } = manager) =>
    people.slash(user.id, guild.channel, `${name} ${command}`, values, { locale: locale as 'fr' });
  const suggestions = async (command: string, values: Record<string, string>, focused: string, locale = 'en-US') =>
    people
      .type(manager.id, guild.channel, `${name} ${command}`, values, focused, { locale: locale as 'fr' })
      .suggestions();
  const hasTexts = async () =>
    (await suggestions('reset', { setting: 'rate' }, 'setting')).some((one) => one.name === 'Rate');
  await waitUntil(hasTexts, { message: 'the texts of the settings' });
  return {
    guild,
    errors,
    slash,
    suggestions,
    /** Returns the text of a reply. */
    said: async (...use: Parameters<typeof slash>) => textOf(await slash(...use).reply()),
    /** Returns the replies to a message, which are complete when a later message has one. */
    async answers(content: string, later: string) {
      const [asked, last] = [content, later].map((text) => people.sendMessage(owner.id, guild.channel, text).id);
      await messages.waitFor(({ replyTo }) => replyTo === last);
      return messages
        .in(guild.channel)
        .filter(({ replyTo }) => replyTo === asked)
        .map(textOf);
    },
    press: (message: Message, label: string) =>
      people.press(manager.id, message.id, buttonsOf(message).get(label) ?? `no button ${label}`),
    submit: async (id: string, value: string) => textOf(await people.submit(manager.id, id, { value }).reply()),
    edited: ({ id, content }: Message) => messages.waitFor((one) => one.id === id && one.content !== content),
    /** Closes the command, and opens one with other options. */
    async reopen(others: Partial<SettingsCommandOptions>) {
      await settings.close();
      settings = settingsCommand(client, { service, replica, ...others });
      await waitUntil(hasTexts, { message: 'the texts of the settings' });
    },
    hasAnswered: ({ id }: SlashHandle) => calls.list().some(({ path }) => path.startsWith(`/interactions/${id}/`)),
    async [Symbol.asyncDispose]() {
      await settings.close();
      await presence.stop();
      await client.rest.put(Routes.applicationCommands(APPLICATION.id), { body: [] });
      await client.destroy();
      await replica.close();
    },
  };
}

/** Returns a reply with all kinds of spaces unified. */
function textOf({ content }: { readonly content: string }): string {
  return content.replaceAll(/[^\S\n]/g, ' ');
}

const FRENCH: SettingsTexts = {
  fr: {
    commands: {
      settings: { name: 'réglages', subcommands: { show: { name: 'voir', description: 'Affiche les réglages' } } },
    },
    words: { beta: 'bêta', all: 'tout' },
    settings: {
      title: '**Réglages de ce serveur**',
      now: '{{value}} (actuel)',
      form: { title: 'Modifier un réglage' },
    },
    shared: { value: { on: 'oui', off: 'non', none: 'aucun' } },
  },
};

test('a language more is that of the people who have it, in what they alone see, and read', async () => {
  await using bot = await startBot({ texts: FRENCH });
  const shown = await bot.slash('show', {}, 'fr').reply();
  expect(textOf(shown)).toContain('**Réglages de ce serveur**');
  expect(textOf(shown)).toContain('**bêta**: non');
  expect(textOf(shown)).toContain('**Taux**: `1`');
  expect(textOf(shown)).toContain('**Attente**: `1 h 30 min`');
  // A text without a translation is in English.
  expect([...buttonsOf(shown).keys()]).toEqual(['Next']);
  expect(await bot.said('show', {}, 'de')).toContain('**Settings of this server**');

  const offered = await bot.suggestions('set', { setting: 'greet', value: '' }, 'value', 'fr');
  expect(offered.map(({ name }) => name)).toEqual(['non (actuel)', 'oui']);
  expect(await bot.suggestions('set', { setting: 'salu' }, 'setting', 'fr')).toEqual([
    { name: 'Accueil · Saluer', value: 'custom.greet' },
  ]);
  const modal = await bot.slash('set', { setting: 'rate' }, 'fr').modal();
  expect(modal).toMatchObject({
    title: 'Modifier un réglage',
    components: [{ label: 'Taux', description: '0 – 5000' }],
  });
  // All members see the reply, so it is in the language of the guild.
  expect(await bot.said('set', { setting: 'bêta', value: 'Oui' }, 'fr')).toContain('beta**: off → on');
  expect(await bot.said('set', { setting: 'taux', value: '1 234,5' }, 'fr')).toContain('**Rate**: `1` → `1234.5`');
  expect(await bot.said('reset', { setting: 'Tout' }, 'fr', owner)).toContain('**Rate**: `1234.5` → `1`');
  expect(bot.errors).toEqual([]);
});

test('a command of another name is called so in every language and every way, and its buttons and forms keep working', async () => {
  await using bot = await startBot({ name: 'config', prefix: true, texts: FRENCH });
  const shown = await bot.slash('show').reply();
  bot.press(shown, 'Next');
  expect((await bot.edited(shown)).content).toContain('**Greet**: off');
  const form = bot.slash('set', { setting: 'rate' });
  await form.modal();
  expect(await bot.submit(form.id, '2')).toContain('**Rate**: `1` → `2`');
  expect(await bot.said('set', { setting: 'nosuch', value: '1' })).toContain('`/config show` lists them all.');
  expect(await bot.said('undo', { change: 9_999 }, 'fr')).toContain('`/réglages history`');
  expect(await bot.said('undo', { change: 9_999 }, 'ru', owner)).toContain('`/config история`');

  expect(await bot.answers('!config set rate', '!config show')).toEqual([
    expect.stringContaining('`!config set <setting> [value]`. As a slash command, `/config set rate` opens a form'),
  ]);
  expect(await bot.answers('!settings show', '!config set beta on')).toEqual([]);
  expect(bot.errors).toEqual([]);
});

test('a group and the form of a table are in a further language as well', async () => {
  await using bot = await startBot({ prefix: true, texts: FRENCH });
  expect(await bot.suggestions('show', { group: 'acc' }, 'group', 'fr')).toEqual([
    { name: 'Accueil', value: 'welcome' },
  ]);
  const [shown] = await bot.answers('!settings accueil', '!settings set beta on');
  expect(shown).toContain('**Greet**');
  const modal = await bot.slash('add', { setting: 'étapes' }, 'fr').modal();
  expect(modal).toMatchObject({ title: 'Étapes', components: [{ label: 'À' }] });
});

test('no reply notifies whom it names, whatever the client does by default', async () => {
  await using bot = await startBot({ prefix: true });
  const { world, people, messages } = api.discord;
  const role = `21${bot.guild.id.slice(2)}`;
  world.addRole({ id: role, guildId: bot.guild.id, name: 'Helpers' });
  const silent = { content: expect.stringContaining(`<@&${role}>`), allowedMentions: { parse: [] } };
  expect(await bot.slash('add', { setting: 'roles', item: role }).reply()).toMatchObject(silent);
  const { id } = people.sendMessage(owner.id, bot.guild.channel, `!settings remove roles ${role}`);
  expect(await messages.waitFor(({ replyTo }) => replyTo === id)).toMatchObject(silent);
});

test('no reply leads to a subcommand that is left out, and it is not answered', async () => {
  await using bot = await startBot({ prefix: true, dashboardUrl: 'https://settings.example' });
  const old = await bot.slash('show').reply();
  await bot.reopen({
    prefix: true,
    dashboardUrl: 'https://settings.example',
    without: ['show', 'history', 'add', 'remove'],
  });
  const pressed = bot.press(old, 'Next');
  const { world } = api.discord;
  const ids = Array.from({ length: 26 }, (_, index) => `31${index + 10}${bot.guild.id.slice(4)}`);
  for (const [index, id] of ids.entries()) world.addChannel({ id, guildId: bot.guild.id, name: `c${index}` });

  expect(await bot.said('set', { setting: 'ratte', value: '1' })).toBe(
    'There is no setting `ratte`.\nDid you mean `rate`?',
  );
  expect(await bot.said('undo', { change: 9_999 })).toBe('There is no change #9999 of this server on record.');
  await bot.said('set', { setting: 'everywhere', value: ids.map((_, index) => `#c${index}`).join(' ') });
  expect(await bot.said('set', { setting: 'everywhere' })).toBe(
    `Everywhere has more values than fit into a form.\nSettings page: <https://settings.example/guilds/${bot.guild.id}>`,
  );
  expect(await bot.said('set', { setting: 'steps', value: '1' })).toContain(
    '**Steps** is a table. Change its rows on the settings page.',
  );
  const [bare] = await bot.answers('!settings', '!settings set beta on');
  expect(bare).toBe('Add one of these after `!settings`: `set`, `enable`, `disable`, `reset`, `undo`, `access`.');
  expect(await bot.answers('!settings show', '!settings set beta off')).toEqual([bare]);
  expect(bot.hasAnswered(pressed)).toBe(false);

  await bot.reopen({ prefix: true, without: ['set'] });
  expect(await bot.answers('!settings add rate 1', '!settings show')).toEqual(['**Rate** is not a list.']);
});
