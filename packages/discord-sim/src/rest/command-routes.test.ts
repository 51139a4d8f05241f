import { Events } from 'discord.js';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { expect } from 'vitest';
import {
  APPLICATION,
  answerCommands,
  asBot,
  errorsOf,
  GUILD,
  get,
  json,
  MEMBER,
  memberToken,
  OTHER_APPLICATION,
  OWNER,
  outcome,
  type ScopedClient,
  botTest as test,
} from '../testing/test-sim.ts';
import type { Scope } from '../world/tokens.ts';

const PATH = `/applications/${APPLICATION.id}/commands`;
const LONG_CHOICES = Array.from({ length: 25 }, (_, n) => ({ name: `${n}`.padEnd(50), value: 'x'.repeat(40) }));
const TEXT = { type: 3, name: 'text', description: 'A text' };

function command(change: object) {
  return { name: 'tea', description: 'Makes tea', ...change };
}

function withOptions(...options: object[]) {
  return command({ options });
}

const numbered = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ ...TEXT, name: `text-${n}`, ...more }));

test.for<[string, object[], ...string[]]>([
  ['without a description', [{ name: 'tea' }], '0.description: BASE_TYPE_REQUIRED'],
  ['of an unknown type', [command({ type: 9 })], '0.type: UNION_TYPE_CHOICES'],
  ['named as another', [command({}), command({})], ': APPLICATION_COMMANDS_DUPLICATE_NAME'],
  [
    'with a long localised description',
    [command({ description_localizations: { ja: 'あ'.repeat(101) } })],
    '0.description_localizations.ja: BASE_TYPE_BAD_LENGTH',
  ],
  ['with an option of unknown type', [withOptions({ ...TEXT, type: 12 })], '0.options.0.type: UNION_TYPE_CHOICES'],
  ['with 26 options', [withOptions(...numbered(26))], '0.options: BASE_TYPE_MAX_LENGTH'],
  [
    'with a required option after another',
    [withOptions(TEXT, { ...TEXT, name: 'must', required: true })],
    '0.options.1: APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
  ],
  ['with two options of one name', [withOptions(TEXT, TEXT)], '0.options.1: APPLICATION_COMMAND_OPTIONS_NAME_INVALID'],
  [
    'with an option beside a subcommand',
    [withOptions({ ...TEXT, type: 1 }, { ...TEXT, name: 'other' })],
    '0.options.1: APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
  ],
  [
    'with a subcommand in a subcommand',
    [withOptions({ ...TEXT, type: 1, options: [{ ...TEXT, type: 1 }] })],
    '0.options.0.options.0.type: UNION_TYPE_CHOICES',
  ],
  [
    'with a choice of another type',
    [withOptions({ ...TEXT, type: 4, choices: [{ name: 'one', value: 'one' }] })],
    '0.options.0.choices.0.value: NUMBER_TYPE_COERCE',
  ],
  [
    'with bounds out of range',
    [withOptions({ ...TEXT, min_length: -1, max_length: 6_001 })],
    '0.options.0.min_length: NUMBER_TYPE_MIN',
    '0.options.0.max_length: NUMBER_TYPE_MAX',
  ],
  [
    'with a name in upper case, among others with errors of their own',
    [command({ name: 'Tea' }), command({ name: 'two words' }), command({ description: '' })],
    '0.name: APPLICATION_COMMAND_INVALID_NAME',
    '1.name: APPLICATION_COMMAND_INVALID_NAME',
    '2.description: BASE_TYPE_BAD_LENGTH',
  ],
  [
    'of more than 8,000 characters',
    [withOptions(...numbered(4, { choices: LONG_CHOICES }))],
    '0: APPLICATION_COMMAND_TOO_LARGE',
  ],
])('refuses a command %s', async ([_name, body, ...errors], { discord }) => {
  expect(await errorsOf(asBot(discord, 'PUT', PATH, body))).toStrictEqual([400, ...errors]);
});

test('refuses a name in an unknown language', async ({ discord }) => {
  const commands = [command({ name_localizations: { xx: 'x' } })];
  expect(await json(asBot(discord, 'PUT', PATH, commands))).toMatchObject({ code: 50035 });
});

test('refuses the 101st command', async ({ discord }) => {
  const commands = Array.from({ length: 101 }, (_, n) => command({ name: `tea-${n}` }));
  expect(await json(asBot(discord, 'PUT', PATH, commands))).toMatchObject({ code: 30032 });
  expect(await json(asBot(discord, 'PUT', PATH, commands.slice(1)))).toMatchObject({ length: 100 });
});

test('shows commands as Discord completes them', async ({ discord }) => {
  const registered = command({ default_member_permissions: '32' });
  const [completed] = await json<object[]>(asBot(discord, 'PUT', PATH, [registered]));
  expect(completed).toStrictEqual({
    ...registered,
    id: expect.stringMatching(/^\d+$/),
    application_id: APPLICATION.id,
    version: expect.stringMatching(/^\d+$/),
    type: 1,
    dm_permission: true,
    contexts: null,
    integration_types: [0],
    nsfw: false,
  });
});

test('a client-credentials token is for the commands of its application', async ({ discord }) => {
  const put = async (token: string, path = PATH) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    return outcome(
      fetch(`${discord.apiUrl}${path}`, {
        method: 'PUT',
        headers,
        body: JSON.stringify([command({})]),
      }),
    );
  };
  const token = (applicationId: string, scope: Scope) =>
    discord.world.issueClientCredentialsToken({ applicationId, scopes: [scope] }).accessToken;
  const own = token(APPLICATION.id, 'applications.commands.update');
  expect(await put(own)).toMatchObject([200, [{ name: 'tea', application_id: APPLICATION.id }]]);
  const inGuild = `/applications/${APPLICATION.id}/guilds/${GUILD.id}/commands`;
  expect(await put(own, inGuild)).toMatchObject([200, [{ name: 'tea', guild_id: GUILD.id }]]);
  expect(await put('A'.repeat(30))).toMatchObject([401, { code: 0 }]);
  const missingAccess = [403, { code: 50001, message: 'Missing Access' }];
  expect(await put(token(APPLICATION.id, 'identify'))).toEqual(missingAccess);
  const other = token(OTHER_APPLICATION.id, 'applications.commands.update');
  expect(await put(other)).toEqual(missingAccess);
  const ofOther = `/applications/${OTHER_APPLICATION.id}`;
  expect(await put(other, `${ofOther}/guilds/${GUILD.id}/commands`)).toEqual(missingAccess);
  expect((await put(other, `${ofOther}/commands`))[0]).toBe(200);
});

test('keeps commands of context menus beside a chat command of the same name', async ({ discord }) => {
  const path = `/applications/${APPLICATION.id}/guilds/${GUILD.id}/commands`;
  const commands = [command({}), { name: 'tea', type: 2 }, { name: 'Pour tea', type: 3 }];
  expect(await json(asBot(discord, 'PUT', path, commands))).toMatchObject([
    { type: 1, name: 'tea', guild_id: GUILD.id },
    { type: 2, name: 'tea', description: '' },
    { type: 3, name: 'Pour tea', description: '' },
  ]);
});

test('discord.js creates, edits, reads, deletes and overwrites commands', async ({ client, discord: own }) => {
  const { commands } = client.application;
  const created = await commands.create({ name: 'tea', description: 'Tea', defaultMemberPermissions: 32n });
  expect((await commands.create({ name: 'tea', description: 'Green tea' })).id).toBe(created.id);
  await commands.edit(created.id, { nameLocalizations: { ru: 'чай' } });
  expect(own.world.commandsOf(APPLICATION.id)).toMatchObject([
    { id: created.id, name: 'tea', description: 'Green tea', name_localizations: { ru: 'чай' } },
  ]);
  await expect(commands.edit(created.id, { name: 'Tea' })).rejects.toMatchObject({ code: 50035 });
  expect((await commands.fetch(created.id, { force: true })).description).toBe('Green tea');
  const overwritten = await commands.set([
    { name: 'milk', description: 'Milk' },
    { name: 'tea', description: 'Tea' },
  ]);
  expect(overwritten.lastKey()).toBe(created.id);
  const [milk, tea] = (await commands.fetch({ withLocalizations: true })).values();
  expect([milk?.name, tea?.description]).toStrictEqual(['milk', 'Tea']);
  await commands.delete(created.id);
  await expect(commands.fetch(created.id, { force: true })).rejects.toMatchObject({ code: 10063 });
});

test('a created command is 201, an overwritten one 200, and the 101st is refused', async ({ discord }) => {
  const created = Array.from({ length: 100 }, (_, n) => command({ name: `full-${n}` }));
  await asBot(discord, 'PUT', PATH, created.slice(1));
  const create = async (name: string) => (await asBot(discord, 'POST', PATH, command({ name }))).status;
  expect([await create('full-0'), await create('full-0'), await create('full-100')]).toStrictEqual([201, 200, 400]);
});

const { ManageGuild, ManageRoles } = PermissionFlagsBits;
const GUILD_PATH = `/applications/${APPLICATION.id}/guilds/${GUILD.id}/commands`;
const UPDATE = ['applications.commands.permissions.update'] as const;
const COMMAND = { name: 'tea', description: 'Makes tea', defaultMemberPermissions: 0n };

async function commandId(client: ScopedClient): Promise<string> {
  await answerCommands(client, [COMMAND], async () => undefined);
  return client.application.commands.cache.firstKey() ?? '';
}

test('a user who manages the guild sets who may use a command, and the bot is told', async ({ client, discord }) => {
  const id = await commandId(client);
  const { accessToken } = discord.world.issueUserToken({
    userId: OWNER.id,
    applicationId: APPLICATION.id,
    scopes: UPDATE,
  });
  const told: unknown[] = [];
  client.on(Events.ApplicationCommandPermissionsUpdate, (update) => told.push(update));
  const permissions = [{ id: MEMBER.id, type: 2, permission: true }];
  const put = {
    method: 'PUT',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
  };
  const set = { id, application_id: APPLICATION.id, guild_id: GUILD.id, permissions };
  expect(
    await outcome(
      fetch(`${discord.apiUrl}${GUILD_PATH}/${id}/permissions`, {
        ...put,
        body: JSON.stringify({ permissions }),
      }),
    ),
  ).toEqual([200, set]);
  expect(await json(asBot(discord, 'GET', `${GUILD_PATH}/${id}/permissions`))).toEqual(set);
  expect(await json(get(discord, `${GUILD_PATH}/permissions`, accessToken))).toEqual([set]);
  await expect.poll(() => told).toMatchObject([{ id, guildId: GUILD.id, permissions }]);
});

test('refuses to set it to others, for unknown commands, and over 100 overwrites', async ({ client, discord }) => {
  const { world, apiUrl } = discord;
  const id = await commandId(client);
  const token = memberToken(discord, UPDATE);
  const put = async (authorization: string, body: object = { permissions: [] }, command = id) => {
    const headers = { authorization, 'content-type': 'application/json' };
    const init = { method: 'PUT', headers, body: JSON.stringify(body) };
    const response = await fetch(`${apiUrl}${GUILD_PATH}/${command}/permissions`, init);
    return [response.status, ((await response.json()) as { code?: number }).code];
  };
  const [bearer, unscoped] = [`Bearer ${token}`, `Bearer ${memberToken(discord)}`];
  expect(await outcome(asBot(discord, 'PUT', `${GUILD_PATH}/${id}/permissions`, { permissions: [] }))).toMatchObject([
    403,
    { code: 20_001 },
  ]);
  expect(await put('Bearer nobody')).toEqual([401, 0]);
  expect(await put(unscoped)).toEqual([403, 50_001]);
  world.setPermissions(GUILD.id, MEMBER.id, ManageGuild);
  expect(await put(bearer)).toEqual([403, 50_013]);
  world.setPermissions(GUILD.id, MEMBER.id, ManageGuild | ManageRoles);
  // The member may not use the command.
  expect(await put(bearer)).toEqual([403, 50_013]);
  world.setCommandPermissions(GUILD.id, { command: 'tea' }, [{ id: MEMBER.id, type: 2, permission: true }]);
  expect(await put(bearer, {}, '1299999999999999999')).toEqual([400, 50_035]);
  expect(await put(bearer, { permissions: [] }, '1299999999999999999')).toEqual([404, 10_063]);
  const overwrite = { id: MEMBER.id, type: 2, permission: true };
  expect(await put(bearer, { permissions: Array.from({ length: 101 }, () => overwrite) })).toEqual([400, 50_035]);
  expect(await put(bearer)).toEqual([200, undefined]);
  expect(await json(asBot(discord, 'GET', `${GUILD_PATH}/${id}/permissions`))).toMatchObject({ code: 10_066 });
});
