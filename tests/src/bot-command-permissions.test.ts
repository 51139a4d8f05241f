import { createGuildSettingsClient } from '@guild-settings/client';
import type { Declaration } from '@guild-settings/contract/settings';
import type { SlashValues } from '@guild-settings/discord-sim';
import { APPLICATION, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { PermissionFlagsBits } from 'discord.js';
import { afterAll, describe, expect, test } from 'vitest';
import { type DeskGuild, startSettingsDesk } from './testing/settings-desk.ts';

const { manager, member, owner, stranger } = PEOPLE;
/** Discord's types of overwrites. */
const ROLE = 1;
const USER = 2;
const CHANNEL = 3;
const MODERATOR = '50000000000000001';
const SET = ['settings set', { setting: 'prefix', value: '?' }] as const;
const MINUTE = 60_000;

const desk = await startSettingsDesk(18);
afterAll(() => desk[Symbol.asyncDispose]());
const { people, messages, world } = desk.discord;
const application = createGuildSettingsClient({ url: desk.api.url, token: tokenOf('application') });

/**
 * Grants `/settings` to a role, as an administrator does in Server Settings > Integrations, and the role to the member.
 */
function delegate({ id: guild }: DeskGuild): void {
  world.addRole({ id: MODERATOR, guildId: guild, name: 'Moderator' });
  world.setMemberRoles(guild, member.id, [MODERATOR]);
  world.setCommandPermissions(guild, { command: 'settings' }, [{ id: MODERATOR, type: ROLE, permission: true }]);
}

function asMember({ channel }: DeskGuild, command: string, values: SlashValues = {}) {
  return people.slash(member.id, channel, command, values);
}

test('a moderator to whom /settings was given changes a setting, which the history shows as theirs', async () => {
  const guild = desk.nextGuild();
  expect(() => asMember(guild, ...SET)).toThrow('not shown');
  delegate(guild);
  expect((await asMember(guild, ...SET).reply()).content).toMatch(/`!` → `\?`/);
  expect(await desk.recordOf(guild)).toMatchObject({ prefix: '?' });
  const [newest] = await desk.historyOf(guild, 'settings');
  expect(newest).toMatchObject({ origin: 'bot', actor: { kind: 'user', id: member.id }, reason: null });
});

test('a moderator to whom /settings was given undoes a change by the button', async () => {
  const guild = desk.nextGuild();
  await desk.change(guild, { prefix: '?' });
  delegate(guild);
  const question = await asMember(guild, 'settings undo').reply();
  desk.press(question, 'Undo', member);
  expect((await desk.edited(question)).content).toContain('was undone');
  expect((await desk.historyOf(guild, 'settings'))[0]).toMatchObject({ origin: 'undo', actor: { id: member.id } });
});

test('a command that is taken away again, by overwrite, role or deletion of the role, is not offered', async () => {
  const guild = desk.nextGuild();
  const { id } = guild;
  for (const takeAway of [
    () => world.setCommandPermissions(id, { command: 'settings' }, []),
    () => world.setMemberRoles(id, member.id, []),
    () => world.deleteRole(id, MODERATOR),
  ]) {
    delegate(guild);
    expect((await asMember(guild, 'settings show').reply()).content).toContain('Settings of this server');
    takeAway();
    expect(() => asMember(guild, 'settings show')).toThrow('not shown');
  }
});

/** Opens a form as a user, and returns a function that submits it. */
async function open({ channel }: DeskGuild, command: string, values: SlashValues, user: { readonly id: string }) {
  const used = people.slash(user.id, channel, command, values);
  await used.modal();
  return (value: string) => people.submit(user.id, used.id, { value }).reply();
}

const TAKEN = 'You can no longer use this command on this server.';
const MANAGERS = 'Only members with the permission “Manage Server” can do that.';

describe('a form and a button change nothing once their user may not use the command any more:', () => {
  test.each<[string, (guild: DeskGuild, user: { readonly id: string }) => void, string]>([
    [
      'without the permission',
      ({ id }, user) => world.setPermissions(id, user.id, PermissionFlagsBits.SendMessages),
      MANAGERS,
    ],
    [
      'by an overwrite of the command for the user',
      ({ id }, user) => {
        world.setCommandPermissions(id, { command: 'settings' }, [{ id: user.id, type: USER, permission: false }]);
        world.setCommandPermissions(id, { command: 'announce' }, [{ id: user.id, type: USER, permission: false }]);
      },
      TAKEN,
    ],
    [
      'by an overwrite of all commands for everybody',
      ({ id }) => world.setCommandPermissions(id, {}, [{ id, type: ROLE, permission: false }]),
      TAKEN,
    ],
    [
      'by an overwrite of all commands for the channel',
      ({ id, channel }) => world.setCommandPermissions(id, {}, [{ id: channel, type: CHANNEL, permission: false }]),
      TAKEN,
    ],
  ])('%s', async (_, takeAway, refusal) => {
    const guild = desk.nextGuild();
    await desk.change(guild, { announcement_channel: guild.channel });
    const set = await open(guild, 'settings set', { setting: 'prefix' }, manager);
    const announce = await open(guild, 'announce', {}, manager);
    const preview = await (await open(guild, 'announce', {}, manager))('tea');
    const question = await desk.slash(guild, 'settings undo');
    const edit = desk.press(preview, 'Edit');
    await edit.modal();
    takeAway(guild, manager);

    for (const submit of [set, announce]) {
      expect(await submit('?')).toMatchObject({ content: refusal, ephemeral: true, components: [] });
    }
    const edited = await people.submit(manager.id, edit.id, { value: 'more tea' }).reply();
    expect(edited).toMatchObject({ content: refusal, ephemeral: true });
    for (const [reply, label] of [
      [preview, 'Post'],
      [question, 'Undo'],
    ] as const) {
      desk.press(reply, label);
      expect(await desk.edited(reply)).toMatchObject({ content: refusal, components: [] });
    }
    expect(await desk.recordOf(guild)).toMatchObject({ prefix: '!', announcement_channel: guild.channel });
    expect(messages.in(guild.channel).filter(({ content }) => /^(?:tea|\?)$/.test(content))).toEqual([]);
  });
});

test('a moderator fills in the form of a command that was given to them, until it is taken away', async () => {
  const guild = desk.nextGuild();
  delegate(guild);
  const first = await open(guild, 'settings set', { setting: 'prefix' }, member);
  const second = await open(guild, 'settings set', { setting: 'prefix' }, member);
  const third = await open(guild, 'settings set', { setting: 'prefix' }, member);
  expect((await first('?')).content).toContain('`!` → `?`');
  expect((await desk.historyOf(guild, 'settings'))[0]).toMatchObject({ actor: { id: member.id } });
  // An overwrite for a person takes precedence over one for their role.
  world.setCommandPermissions(guild.id, { command: 'settings' }, [
    { id: MODERATOR, type: ROLE, permission: true },
    { id: member.id, type: USER, permission: false },
  ]);
  expect(await third('#')).toMatchObject({ content: MANAGERS, ephemeral: true });
  delegate(guild);
  world.setMemberRoles(guild.id, member.id, []);
  // A channel permission is not a guild permission.
  world.setChannelPermissions(guild.channel, { [member.id]: { allow: PermissionFlagsBits.ManageGuild } });
  expect(await second('$')).toMatchObject({ content: MANAGERS, ephemeral: true });
  expect(await desk.recordOf(guild)).toMatchObject({ prefix: '?' });
});

test('an overwrite for everybody gives a command to those who may use it by default, and not to those whose permission was taken', async () => {
  const guild = desk.nextGuild();
  const { id } = guild;
  for (const target of [{ command: 'settings' }, {}]) {
    delegate(guild);
    const form = await open(guild, 'settings set', { setting: 'prefix' }, member);
    const ofManager = await open(guild, 'settings set', { setting: 'prefix' }, manager);
    world.setCommandPermissions(id, { command: 'settings' }, []);
    world.setCommandPermissions(id, target, [{ id, type: ROLE, permission: true }]);
    expect(() => asMember(guild, ...SET)).toThrow('not shown');
    expect(await form('?')).toMatchObject({ content: MANAGERS, ephemeral: true });
    expect((await ofManager('$')).content).toMatch(/\$/);
    world.setCommandPermissions(id, target, []);
  }
  expect(await desk.recordOf(guild)).toMatchObject({ prefix: '$' });
});

test('a form is of the person whose command has opened it, for 15 minutes, and the text of one that is too late is shown', async () => {
  const guild = desk.nextGuild();
  const set = await open(guild, 'settings set', { setting: 'prefix' }, manager);
  const late = await open(guild, 'settings set', { setting: 'prefix' }, manager);
  const expired = 'This form has expired. Please use `/settings set` again.';
  const used = people.slash(manager.id, guild.channel, 'settings set', { setting: 'prefix' });
  await used.modal();
  const opened = world.interactions.find(used.id);
  if (opened === null) throw new Error('Expected the interaction');
  world.interactions.put({ ...opened, userId: owner.id });
  expect(await people.submit(owner.id, used.id, { value: '#' }).reply()).toMatchObject({
    content: `${expired}\n\n#`,
    ephemeral: true,
  });
  desk.api.clock.aheadMs += 14 * MINUTE;
  expect((await set('?')).content).toContain('`!` → `?`');
  desk.api.clock.aheadMs += MINUTE;
  expect(await late('$')).toMatchObject({ content: `${expired}\n\n$`, ephemeral: true });
  expect(await desk.recordOf(guild)).toMatchObject({ prefix: '?' });
});

test('administrators can take a command from managers, who keep the commands in messages', async () => {
  const guild = desk.nextGuild();
  delegate(guild);
  const ask = async (userId: string, content: string) => {
    const { id } = people.sendMessage(userId, guild.channel, content);
    return (await messages.waitFor(({ replyTo }) => replyTo === id)).content;
  };
  expect(await ask(member.id, '!settings set beta on')).toContain('Only members with the permission “Manage Server”');
  world.setCommandPermissions(guild.id, { command: 'settings' }, [{ id: guild.id, type: ROLE, permission: false }]);
  expect(() => people.slash(manager.id, guild.channel, ...SET)).toThrow('not shown');
  expect(await ask(manager.id, '!settings set beta on')).toContain('off → on');
});

test('another program that registers /settings for all members gives no member more than before', async () => {
  const guild = desk.nextGuild();
  const registered = world.commandsOf(APPLICATION.id);
  const theirs = registered.map((command) =>
    command.name === 'settings' ? { ...command, description: 'Theirs', default_member_permissions: null } : command,
  );
  world.commands.replace({ applicationId: APPLICATION.id, guildId: null }, theirs);
  expect((await asMember(guild, ...SET).reply()).content).toBe(MANAGERS);
  expect((await asMember(guild, 'settings show').reply()).content).toBe(MANAGERS);
  expect((await people.slash(manager.id, guild.channel, ...SET).reply()).content).toMatch(/`!` → `\?`/);
  world.commands.replace({ applicationId: APPLICATION.id, guildId: null }, registered);
});

/** Returns the values that are offered to a user. */
async function offered({ channel }: DeskGuild, user: { readonly id: string }, typed = '') {
  const values = { setting: 'announcement_channel', value: typed };
  return people.type(user.id, channel, 'settings set', values, 'value').suggestions();
}

test('values in use are not suggested to members for whom another program has registered /settings', async () => {
  const guild = desk.nextGuild();
  await desk.change(guild, { announcement_channel: guild.channel });
  const registered = world.commandsOf(APPLICATION.id);
  const forAll = registered.map((command) => ({ ...command, default_member_permissions: null }));
  world.commands.replace({ applicationId: APPLICATION.id, guildId: null }, forAll);
  expect(await offered(guild, member)).toEqual([]);
  expect(await offered(guild, manager)).toContainEqual({ name: '#general (now)', value: guild.channel });
  world.commands.replace({ applicationId: APPLICATION.id, guildId: null }, registered);
});

test('a moderator to whom /settings was given has suggestions, and is not checked for each character', async () => {
  const guild = desk.nextGuild();
  delegate(guild);
  const path = `/applications/${APPLICATION.id}/guilds/${guild.id}/commands/permissions`;
  for (const typed of ['', 'g', 'ge', 'gen', 'gene']) {
    expect(await offered(guild, member, typed)).toContainEqual({ name: '#general', value: guild.channel });
  }
  expect(desk.discord.calls.list().filter((call) => call.path === path)).toHaveLength(1);
});

test('a command of a menu with the same name gives no member /settings', async () => {
  const guild = desk.nextGuild();
  delegate(guild);
  const form = await open(guild, 'settings set', { setting: 'prefix' }, member);
  const [settings] = world.commandsOf(APPLICATION.id).filter(({ name }) => name === 'settings');
  if (settings === undefined) throw new Error('Expected the command');
  const ofMenu = { ...settings, id: '50000000000000003', type: 2, options: [], guild_id: guild.id };
  world.commands.replace({ applicationId: APPLICATION.id, guildId: guild.id }, [ofMenu as typeof settings]);
  world.setCommandPermissions(guild.id, { command: 'settings' }, []);
  const given = { id: MODERATOR, type: ROLE, permission: true };
  world.putCommandPermissions(guild.id, { applicationId: APPLICATION.id, id: ofMenu.id }, [given]);
  expect(await form('?')).toMatchObject({ content: MANAGERS });
});

test('a moderator uses the /settings that is registered in their server alone, when it was given to them', async () => {
  const guild = desk.nextGuild();
  const scope = { applicationId: APPLICATION.id, guildId: guild.id };
  const all = world.commandsOf(APPLICATION.id).filter(({ name }) => name === 'settings');
  const own = all.map((command) => ({ ...command, id: '50000000000000002', guild_id: guild.id }));
  world.commands.replace(scope, own);
  world.addRole({ id: MODERATOR, guildId: guild.id, name: 'Moderator' });
  world.setMemberRoles(guild.id, member.id, [MODERATOR]);
  const given = { id: MODERATOR, type: ROLE, permission: true };
  world.putCommandPermissions(guild.id, { applicationId: APPLICATION.id, id: '50000000000000002' }, [given]);
  const form = await open(guild, 'settings set', { setting: 'prefix' }, member);
  expect((await form('?')).content).toContain('`!` → `?`');
});

test('/settings access shows the list privately and notifies nobody, and the bot does not change it', async () => {
  const guild = desk.nextGuild();
  const access = () => desk.slash(guild, 'settings access');
  const title = '**Who else has access to the settings of this server**';
  const onPage = 'You can change the list on the settings page.';
  expect((await access()).content.split('\n')).toEqual([title, 'Only the managers of the server.', onPage]);
  const entries = [
    { subject: `user:${member.id}`, level: 'viewer' },
    { subject: `user:${owner.id}`, level: 'editor' },
    { subject: `user:${stranger.id}`, level: 'viewer' },
  ] as const;
  await application.guilds.setAccess.mutate({ guild: guild.id, entries: [...entries] });
  const shown = await access();
  expect(shown.content.split('\n')).toEqual([
    title,
    `**viewer**: <@${member.id}>, <@${stranger.id}>`,
    `**editor**: <@${owner.id}>`,
    onPage,
  ]);
  expect(shown).toMatchObject({ ephemeral: true, mentions: [] });

  const [{ revision = 0 } = {}] = await desk.historyOf(guild, 'access');
  expect((await desk.slash(guild, 'settings undo', { change: revision })).content).toBe(onPage);
  expect((await application.guilds.access.query({ guild: guild.id })).entries).toHaveLength(3);
  await desk.api.stop();
  expect((await access()).content).toContain('The settings service cannot be reached.');
  await desk.api.start();
});

test('a setting that only the application may change stays closed to those whom Discord let through', async () => {
  const declaration: Declaration = {
    settings: { premium: { kind: 'switch', default: false, setBy: 'application', label: { 'en-US': 'Premium' } } },
  };
  const guild = desk.nextGuild();
  delegate(guild);
  await desk.api.stop();
  await desk.api.start(declaration);
  await application.guilds.update.mutate({ guild: guild.id, custom: { premium: true } });
  expect((await asMember(guild, 'settings undo').reply()).content).toMatch(
    /^The settings service rejected the change: /,
  );
  expect(await desk.recordOf(guild)).toMatchObject({ custom: { premium: true } });
});
