import { createGuildSettingsClient } from '@guild-settings/client';
import { isSettingsInteraction, settingsCommand, settingsCommandData } from '@guild-settings/discord';
import type { SlashHandle } from '@guild-settings/discord-sim';
import { APPLICATION, BOT, GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { openReplica } from '@guild-settings/replica';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import { ApplicationCommandType, Client, ComponentType, Events, InteractionType } from 'discord.js';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type AuthorBotOptions, deployCommands, startAuthorBot } from './testing/author-bot.ts';
import { type RestartableApi, startRestartableApi } from './testing/restartable-api.ts';
import { buttonsOf } from './testing/settings-desk.ts';

const [{ id: guild, channels }, other] = GUILDS;
const { manager } = PEOPLE;

const folder = temporaryFolder();
let api: RestartableApi;
let bots = 0;

beforeAll(async () => {
  api = await startRestartableApi();
});

afterEach(() => api.discord.faults.clear());

afterAll(async () => {
  await api[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

async function start(options: Partial<AuthorBotOptions> = {}) {
  await deploy();
  bots += 1;
  return startAuthorBot({ ...optionsOf(`${folder.path}/${bots}.db`), ...options });
}

const optionsOf = (path: string): AuthorBotOptions => ({
  serviceUrl: api.url,
  serviceToken: tokenOf('application'),
  discordUrl: api.discord.apiUrl.replace(/\/v10$/, ''),
  botToken: BOT.token,
  path,
});

const deploy = (others: readonly object[] = []) => deployCommands(optionsOf(''), APPLICATION.id, others);

const registered = (guildId?: string) =>
  api.discord.world
    .commandsOf(APPLICATION.id, guildId)
    .map(({ name }) => name)
    .toSorted();

const isRegistered = (name = 'settings', guildId?: string) =>
  waitUntil(() => registered(guildId).includes(name), { message: `/${name}` });

const callbacksOf = ({ id }: SlashHandle) =>
  api.discord.calls.list().filter(({ path }) => path.startsWith(`/interactions/${id}/`));

const slash = (command: string, values = {}, inGuild = channels.general) =>
  api.discord.people.slash(manager.id, inGuild, command, values);

test('own commands and those for settings are both answered, each once, in all the ways in which they are used', async () => {
  const { people, messages } = api.discord;
  const errors: Error[] = [];
  await using bot = await start({ settings: { prefix: true, onError: (error) => void errors.push(error) } });
  await isRegistered();
  await bot.replica.waitUntilLive();
  expect(registered()).toEqual(['rank', 'settings']);
  const uses: SlashHandle[] = [];
  const use = (handle: SlashHandle) => {
    uses.push(handle);
    return handle;
  };
  const said = async (handle: SlashHandle) => (await use(handle).reply()).content;

  const rank = await use(slash('rank')).reply();
  expect(rank.content).toBe('You are first.');
  expect(await said(people.press(manager.id, rank.id, buttonsOf(rank).get('Next season') ?? ''))).toBe(
    'You are second.',
  );
  expect(await use(people.type(manager.id, channels.general, 'rank', { season: 's' }, 'season')).suggestions()).toEqual(
    [{ name: 'Spring', value: 'spring' }],
  );
  const typed = use(people.type(manager.id, channels.general, 'settings set', { setting: 'pre' }, 'setting'));
  expect(await typed.suggestions()).toMatchObject([{ value: 'prefix' }]);
  const opened = use(slash('settings set', { setting: 'prefix' }));
  await opened.modal();
  expect(await said(people.submit(manager.id, opened.id, { value: '?' }))).toContain('`!` → `?`');
  await waitUntil(() => bot.replica.get(guild).prefix === '?');
  const question = await use(slash('settings undo')).reply();
  use(people.press(manager.id, question.id, buttonsOf(question).get('Undo') ?? ''));
  await waitUntil(() => bot.replica.get(guild).prefix === '!');

  for (const [text, answer] of [
    ['!rank', 'You are first.'],
    ['!settings set beta on', '**beta**: off → on'],
    [`<@${BOT.userId}> settings show`, '**Settings'],
  ] as const) {
    const message = people.sendMessage(manager.id, channels.general, text);
    const reply = await messages.waitFor(({ replyTo }) => replyTo === message.id);
    expect(reply.content).toContain(answer);
  }
  await bot.settings.close();
  const posted = messages.in(channels.general).filter(({ replyTo, interactionId }) => replyTo && !interactionId);
  expect(posted).toHaveLength(3);
  for (const one of uses) expect(callbacksOf(one), one.id).toMatchObject([{ status: 204 }]);
  expect(errors).toEqual([]);
});

test('a list that the author registers after the start is completed at the next one', async () => {
  const first = await start();
  await isRegistered();
  await deploy();
  expect(registered()).toEqual(['rank']);
  await first.stop();
  await using _second = await start();
  await isRegistered();
  expect(registered()).toEqual(['rank', 'settings']);
});

test('with register: false, the author registers the command in a list of all', async () => {
  await using _bot = await start({ settings: { register: false } });
  expect(registered()).toEqual(['rank']);
  await deploy([settingsCommandData()]);
  expect((await slash('settings show').reply()).content).toContain('**Settings');
});

test('close leaves the commands registered and no listener, and the author answers from then on', async () => {
  const before = await start({ settings: { register: false } });
  await before.settings.close();
  const counts = (client: Client) =>
    Object.fromEntries(client.eventNames().map((name) => [String(name), client.listenerCount(name)]));
  const expected = counts(before.client);
  await before.stop();
  await using bot = await start({ settings: { prefix: true } });
  await isRegistered();
  await slash('settings show').reply();
  await bot.settings.close();
  expect(counts(bot.client)).toEqual(expected);
  expect(registered()).toEqual(['rank', 'settings']);
  expect((await slash('rank').reply()).content).toBe('You are first.');
  expect((await slash('settings show').reply()).content).toBe('Unknown command.');
  const again = settingsCommand(bot.client, { service: bot.service, replica: bot.replica });
  await bot.settings.close();
  expect((await slash('settings show').reply()).content).toContain('**Settings');
  await again.close();
});

test('the command has another name, fewer subcommands and the address of the dashboard', async () => {
  const { people, messages } = api.discord;
  const form = { name: 'config', without: ['access', 'undo'] } as const;
  await using bot = await start({ settings: { ...form, prefix: true, dashboardUrl: 'https://settings.example/' } });
  await isRegistered('config');
  await bot.replica.waitUntilLive();
  expect(registered()).toEqual(['config', 'rank']);
  expect(() => slash('config undo')).toThrow();
  const shown = (await slash('config show').reply()).content;
  expect(shown).toContain(`<https://settings.example/guilds/${guild}>`);
  const refused = await slash('config set', { setting: 'no such' }).reply();
  expect(refused.content).not.toContain('/settings ');
  people.sendMessage(manager.id, channels.general, '!settings show');
  const message = people.sendMessage(manager.id, channels.general, '!config show');
  await messages.waitFor(({ replyTo }) => replyTo === message.id);
  await bot.settings.close();
  expect(messages.in(channels.general).filter(({ content }) => content === shown)).toHaveLength(2);
});

test('in some guilds only, the command is registered and answered there only', async () => {
  const { people, messages } = api.discord;
  await using bot = await start({ settings: { guilds: [guild], prefix: true } });
  await isRegistered('settings', guild);
  expect([registered(), registered(other?.id)]).toEqual([['rank'], []]);
  await bot.client.application?.commands.create(settingsCommandData(), other?.id ?? '');
  expect((await slash('settings show').reply()).content).toContain('**Settings');
  expect((await slash('settings show', {}, other?.channels.general).reply()).content).toBe('Unknown command.');
  people.sendMessage(manager.id, other?.channels.general ?? '', '!settings show');
  const message = people.sendMessage(manager.id, channels.general, '!settings show');
  await messages.waitFor(({ replyTo }) => replyTo === message.id);
  await bot.settings.close();
  expect(
    messages.in(other?.channels.general ?? '').filter(({ replyTo, interactionId }) => replyTo && !interactionId),
  ).toEqual([]);
  for (const { id } of GUILDS) await bot.client.application?.commands.set([], id);
});

test('in some guilds only, the command of all guilds, its buttons and its forms are left to others elsewhere', async () => {
  const { people } = api.discord;
  await using bot = await start();
  await isRegistered();
  await bot.replica.waitUntilLive();
  const there = other?.channels.general ?? '';
  const form = slash('settings set', { setting: 'prefix' }, there);
  await form.modal();
  await bot.settings.close();
  const { service, replica } = bot;
  const settings = settingsCommand(bot.client, { service, replica, guilds: [guild], register: false });
  for (const handle of [slash('settings show', {}, there), people.submit(manager.id, form.id, { value: '?' })]) {
    expect((await handle.reply()).content).toBe('Unknown command.');
  }
  expect((await slash('settings show').reply()).content).toContain('**Settings');
  await settings.close();
});

test('a reply that Discord refuses is reported, and a listener that throws ends nothing', async () => {
  const { faults } = api.discord;
  const printed = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const errors: Error[] = [];
  const onError = async (error: Error) => {
    errors.push(error);
    throw new Error('of the listener');
  };
  await using first = await start({ settings: { onError } });
  await isRegistered();
  faults.set({ kind: 'status', status: 404 }, { path: '/interactions' });
  slash('settings show');
  await waitUntil(() => errors.length === 1 && printed.mock.calls.length === 1, { message: 'the report' });
  expect(errors).toMatchObject([{ message: expect.stringMatching(/^\/settings could not be answered/) }]);
  expect(printed.mock.calls).toEqual([['of the listener', 'guild-settings']]);
  await first.settings.close();
  const second = settingsCommand(first.client, { service: first.service, replica: first.replica });
  slash('settings show');
  await waitUntil(() => printed.mock.calls.length === 2, { message: 'the sentence' });
  expect(printed.mock.calls[1]?.[0]).toEqual(expect.stringMatching(/^\/settings could not be answered.*: [^\n]+$/));
  faults.clear();
  expect((await slash('settings show').reply()).content).toContain('**Settings');
  await second.close();
});

test('a service that is no client is refused, and leaves room for one that is', async () => {
  const client = new Client({ intents: ['Guilds'] });
  await using bot = await start();
  const { replica, service } = bot;
  expect(() => settingsCommand(client, { service: {} as typeof service, replica })).toThrow(TypeError);
  await settingsCommand(client, { service, replica }).close();
  await client.destroy();
});

test('suggestions for an option that another version has registered are none', async () => {
  const { people, world } = api.discord;
  await using _bot = await start();
  await isRegistered();
  const [show, ...others] = settingsCommandData().options ?? [];
  const theme = { type: 3, name: 'theme', description: 'A theme', required: false, autocomplete: true };
  const registered = world.commandsOf(APPLICATION.id).map((command) => {
    return command.name === 'settings' ? { ...command, options: [{ ...show, options: [theme] }, ...others] } : command;
  });
  world.commands.replace({ applicationId: APPLICATION.id, guildId: null }, registered as never);
  const typed = people.type(manager.id, channels.general, 'settings show', { theme: '' }, 'theme');
  expect(await typed.suggestions()).toEqual([]);
});

test('a form that is too late notifies no member, whatever the client of the bot does by default', async () => {
  const { people, world } = api.discord;
  await using _bot = await start({ client: { allowedMentions: { parse: ['everyone'] } } });
  await isRegistered();
  const used = slash('settings set', { setting: 'prefix' });
  await used.modal();
  const opened = world.interactions.find(used.id);
  if (opened === null) throw new Error('Expected the interaction');
  world.interactions.put({ ...opened, userId: PEOPLE.owner.id });
  const reply = await people.submit(PEOPLE.owner.id, used.id, { value: '@everyone' }).reply();
  expect(reply).toMatchObject({ content: expect.stringContaining('@everyone'), allowedMentions: { parse: [] } });
});

test('one command of a client, with the intents that it needs, says the TypeError', async () => {
  await using bot = await start();
  const { service, replica } = bot;
  expect(() => settingsCommand(bot.client, { service, replica })).toThrow(TypeError);
  const none = new Client({ intents: [] });
  expect(() => settingsCommand(none, { service, replica })).toThrow('add Guilds to the intents of new Client()');
  const silent = new Client({ intents: ['Guilds', 'GuildMessages'] });
  expect(() => settingsCommand(silent, { service, replica, prefix: true })).toThrow(
    'add MessageContent to the intents of new Client(), and enable Message Content Intent for the bot in the developer portal',
  );
  await settingsCommand(silent, { service, replica }).close();
});

test('a client that is destroyed first leaves no error behind', async () => {
  const errors: Error[] = [];
  await using bot = await start({ settings: { onError: (error) => void errors.push(error) } });
  await bot.client.destroy();
  await bot.settings.close();
  expect(errors).toEqual([]);
});

const { ApplicationCommand, ApplicationCommandAutocomplete, MessageComponent, ModalSubmit } = InteractionType;
const { ChatInput, Message, PrimaryEntryPoint, User } = ApplicationCommandType;
const USER = { id: manager.id, username: 'mika', discriminator: '0', global_name: null, avatar: null };
const OURS = `settings|show|page|${guild}|1`;
const FORM = `settings|set|${manager.id}|${guild}|prefix`;

const command = (type: ApplicationCommandType, name = 'settings', ...options: object[]) => {
  return { id: '1', name, type, options, ...(type === ChatInput ? {} : { target_id: '2', resolved: {} }) };
};
const sub = (name: string, ...options: object[]) => ({ type: options.length > 0 ? 2 : 1, name, options });
const press = (custom_id: string, component_type: ComponentType = ComponentType.Button) => {
  return { custom_id, component_type, values: [] };
};
const filled = (custom_id: string) => ({ custom_id, components: [] });

describe('isSettingsInteraction', () => {
  let client: Awaited<ReturnType<typeof receiver>>;
  beforeAll(async () => {
    client = await receiver();
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test.each([
    [true, 'the command', ApplicationCommand, command(ChatInput, 'settings', sub('show'))],
    [true, 'its suggestions', ApplicationCommandAutocomplete, command(ChatInput, 'settings', sub('set'))],
    [true, 'its button', MessageComponent, press(OURS)],
    [true, 'its form', ModalSubmit, filled(FORM)],
    [
      true,
      'the command, left in a guild',
      ApplicationCommand,
      { ...command(ChatInput, 'settings', sub('show')), guild_id: guild },
    ],
    [false, 'another command', ApplicationCommand, command(ChatInput, 'rank')],
    [false, 'another subcommand', ApplicationCommand, command(ChatInput, 'settings', sub('theme'))],
    [false, 'no subcommand', ApplicationCommand, command(ChatInput)],
    [false, 'a subcommand in a group', ApplicationCommand, command(ChatInput, 'settings', sub('rank', sub('show')))],
    [false, 'suggestions of another', ApplicationCommandAutocomplete, command(ChatInput, 'settings', sub('theme'))],
    [false, 'a menu of a user', ApplicationCommand, command(User)],
    [false, 'a menu of a message', ApplicationCommand, command(Message)],
    [false, 'an entry point', ApplicationCommand, command(PrimaryEntryPoint)],
    [false, 'a button of an author', MessageComponent, press('settings|set|x|1')],
    [false, 'a button of another name', MessageComponent, press(`settings|show|x|${guild}`)],
    [false, 'a button of an inherited name', MessageComponent, press(`settings|show|constructor|${guild}`)],
    [false, 'a button of an inherited subcommand', MessageComponent, press(`settings|toString|page|${guild}`)],
    [false, 'a form of an author', ModalSubmit, filled(`settings|set|x|${guild}`)],
    [false, 'a form of a subcommand without one', ModalSubmit, filled(`settings|history|${manager.id}|${guild}`)],
    [false, 'a menu of texts', MessageComponent, press(OURS, ComponentType.StringSelect)],
    [false, 'a menu of roles', MessageComponent, press(OURS, ComponentType.RoleSelect)],
    [false, 'the command in a direct message', ApplicationCommand, command(ChatInput, 'settings', sub('show')), true],
    [false, 'its button in a direct message', MessageComponent, press(OURS), true],
    [false, 'its form in a direct message', ModalSubmit, filled(FORM), true],
  ])('is %s for %s', async (expected, _name, type, data, isDirect = false) => {
    expect(client.isOurs({ type, data, isDirect })).toBe(expected);
  });
});

interface Received {
  readonly type: InteractionType;
  readonly data: object;
  readonly isDirect: boolean;
}

/** A client that receives interactions without a connection. */
async function receiver() {
  const client = new Client({ intents: ['Guilds'] });
  const service = createGuildSettingsClient({ url: api.url, token: tokenOf('application') });
  const replica = openReplica({ apiUrl: api.url, credentials: tokenOf('application'), path: `${folder.path}/none.db` });
  const results: boolean[] = [];
  client.on(Events.InteractionCreate, (interaction) => void results.push(isSettingsInteraction(interaction)));
  const settings = settingsCommand(client, { service, replica, onError: () => {} });
  const actions: { readonly InteractionCreate: { handle(data: object): void } } = Reflect.get(client, 'actions');
  return {
    isOurs({ type, data, isDirect }: Received) {
      const member = { user: USER, roles: [], permissions: '0', joined_at: '2020-01-01T00:00:00Z', flags: 0 };
      const place = isDirect ? { user: USER, context: 1 } : { guild_id: guild, member, context: 0 };
      const message = { id: '3', channel_id: '4', author: USER, content: '', attachments: [], embeds: [] };
      const common = { id: '5', application_id: '6', channel_id: '4', token: 't', version: 1, locale: 'en-US' };
      actions.InteractionCreate.handle({
        ...common,
        ...place,
        message,
        type,
        data,
        entitlements: [],
        authorizing_integration_owners: {},
      });
      return results.at(-1);
    },
    async [Symbol.asyncDispose]() {
      await settings.close();
      await replica.close();
      await client.destroy();
    },
  };
}
