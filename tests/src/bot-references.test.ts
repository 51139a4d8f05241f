import { type Declaration, defineSettings } from '@guild-settings/contract/settings';
import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { PermissionFlagsBits } from 'discord.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localeTexts } from './testing/locale-texts.ts';
import { type DeskGuild, startSettingsDesk } from './testing/settings-desk.ts';

const { manager } = PEOPLE;
const label = (text: string) => ({ 'en-US': text });

const DECLARATION: Declaration = defineSettings({
  settings: {
    logChannel: { kind: 'channel', types: ['text', 'announcement'], label: label('Log channel') },
    ignored: { kind: 'channel', many: { max: 3 }, label: label('Ignored channels') },
    art: { kind: 'channel', needs: ['EmbedLinks', 'ManageMessages'], label: label('Art channel') },
    stage: { kind: 'channel', types: ['voice'], needs: ['Speak'], many: { max: 3 }, label: label('Stages') },
    helper: { kind: 'role', label: label('Helper role') },
    roles: { kind: 'role', many: { max: 3 }, label: label('Own roles') },
    xpRate: { kind: 'integer', min: 0, max: 9, default: 5, label: label('Experience rate') },
  },
  defaults: { prefix: '?', language: 'en-US' },
});

const desk = await startSettingsDesk(15, { declaration: DECLARATION });
const { people, world, messages } = desk.discord;
afterAll(() => desk[Symbol.asyncDispose]());

/** Restarts the service with a declaration, and waits until the bot has its texts. */
async function declare(declaration: Declaration, guild: DeskGuild): Promise<void> {
  await desk.api.stop();
  await desk.api.start(declaration);
  await knows(guild, declaration.settings?.xpRate?.label['en-US'] ?? '');
}

const knows = (guild: DeskGuild, name: string) =>
  waitUntil(
    async () => {
      const typed = people.type(manager.id, guild.channel, 'settings set', { setting: 'xprate' }, 'setting');
      return (await typed.suggestions()).some((suggestion) => suggestion.name === name);
    },
    { message: 'the texts of the settings' },
  );

beforeAll(() => knows(desk.nextGuild(), 'Experience rate'));

const ask = async (guild: DeskGuild, command: string, values: Record<string, string> = {}) =>
  (await desk.slash(guild, `settings ${command}`, values)).content;
const storedOf = async (guild: DeskGuild) => (await desk.recordOf(guild)).custom ?? {};

async function write(guild: DeskGuild, text: string): Promise<string> {
  const sent = people.sendMessage(manager.id, guild.channel, text);
  return (await messages.waitFor(({ replyTo }) => replyTo === sent.id)).content;
}

/** Opens the form of a setting, when the bot has every change. */
async function open(guild: DeskGuild, setting: string): Promise<string> {
  await desk.change(guild, {});
  const used = people.slash(manager.id, guild.channel, 'settings set', { setting });
  await used.modal();
  return used.id;
}

const fillIn = async (id: string, values: readonly string[]) =>
  (await people.submit(manager.id, id, { value: values }).reply()).content;

/** Adds a channel of another type, and roles that the bot cannot assign, because it lacks the permission. */
function furnish({ id }: DeskGuild) {
  const ids = {
    voice: `4${id.slice(1)}`,
    plain: `5${id.slice(1)}`,
    managed: `6${id.slice(1)}`,
    gone: `7${id.slice(1)}`,
  };
  world.addChannel({ id: ids.voice, guildId: id, name: 'talk', type: 'voice' });
  world.addRole({ id: ids.plain, guildId: id, name: 'Helpers' });
  world.addRole({ id: ids.managed, guildId: id, name: 'Other bot', managed: true });
  return ids;
}

test('@everyone is refused with a sentence, however it is named', async () => {
  const guild = desk.nextGuild();
  const { plain } = furnish(guild);
  const refusal = '@everyone cannot be chosen here';
  for (const value of ['@everyone', `<@&${guild.id}>`, guild.id]) {
    expect(await ask(guild, 'set', { setting: 'helper', value })).toBe(refusal);
    expect(await ask(guild, 'add', { setting: 'roles', item: value })).toBe(refusal);
    expect(await write(guild, `?settings set roles ${plain}, ${value}`)).toContain(refusal);
  }
  expect(await fillIn(await open(guild, 'roles'), [plain, guild.id])).toContain(refusal);
  await desk.change(guild, { language: 'ru' });
  expect(localeTexts('ru').get('shared.flaw.everyone')).toEqual([
    await ask(guild, 'set', { setting: 'helper', value: guild.id }),
  ]);
  expect(await storedOf(guild)).toMatchObject({ helper: '', roles: [] });
});

test('a channel of another type is stored, and the reply says so; what Discord states of a chosen one is refused', async () => {
  const guild = desk.nextGuild();
  const { voice } = furnish(guild);
  const wrong = `<#${voice}> is not of the right type. This setting takes: text channels, announcement channels.`;
  expect(await write(guild, `?settings set logChannel <#${voice}>`)).toContain(`→ <#${voice}>\n${wrong}`);
  expect(await storedOf(guild)).toMatchObject({ logChannel: voice });
  expect(await ask(guild, 'set', { setting: 'logChannel', value: guild.channel })).not.toContain('right type');

  const { settings = {} } = DECLARATION;
  const wide = { ...settings, logChannel: { kind: 'channel', label: label('Log channel') } } as Declaration['settings'];
  await declare(
    { ...DECLARATION, settings: { ...wide, xpRate: { ...settings.xpRate, label: label('Wide') } } } as Declaration,
    guild,
  );
  const id = await open(guild, 'logChannel');
  await declare(DECLARATION, guild);
  expect(await fillIn(id, [voice])).toBe(wrong);
  expect(await storedOf(guild)).toMatchObject({ logChannel: guild.channel });
});

test('a reply names deleted roles and channels of a changed list, and what the bot cannot do', async () => {
  const guild = desk.nextGuild();
  const { plain, managed, gone } = furnish(guild);
  await desk.change(guild, { custom: { roles: [gone], ignored: [gone] } });
  const reply = await ask(guild, 'add', { setting: 'roles', item: `<@&${managed}>` });
  expect(reply).toContain(`The role <@&${gone}> was deleted in Discord. Choose another one, or none.`);
  expect(reply).toContain(`<@&${managed}>: Belongs to a bot or an integration`);
  expect(await ask(guild, 'set', { setting: 'helper', value: plain })).toContain(
    `<@&${plain}>: The bot cannot give this role\nTo give roles`,
  );
  expect(await ask(guild, 'add', { setting: 'ignored', item: guild.channel })).toContain(
    `The channel <#${gone}> was deleted, or you cannot see it. Choose another one, or none.`,
  );
  expect(await ask(guild, 'set', { setting: 'xpRate', value: '7' })).not.toContain('deleted');
});

test('a channel and a role are named as they are read, with a mark or without, and a channel by its link', async () => {
  const guild = desk.nextGuild();
  const { plain } = furnish(guild);
  const links = ['discord.com', 'ptb.discord.com', 'canary.discord.com', 'discordapp.com'].map(
    (host) => `https://${host}/channels/${guild.id}/${guild.channel}`,
  );
  for (const value of ['#general', 'General', '＃general', ...links, `<${links[0]}>`, `${links[0]}/${guild.id}`]) {
    expect(await ask(guild, 'set', { setting: 'logChannel', value })).toContain(`→ <#${guild.channel}>`);
    await desk.change(guild, { custom: { logChannel: '' } });
  }
  expect(await write(guild, '?settings set logChannel general')).toContain(`→ <#${guild.channel}>`);
  expect(await write(guild, `?settings set channel ${links[0]}`)).toContain(`→ <#${guild.channel}>`);
  for (const value of ['@Helpers', 'Helpers', 'helpers', '"Helpers"']) {
    expect(await ask(guild, 'set', { setting: 'helper', value })).toContain(`→ <@&${plain}>`);
    await desk.change(guild, { custom: { helper: '' } });
  }
  expect(await ask(guild, 'set', { setting: 'helper', value: 'Helper' })).toBe(
    'Did you mean `Helpers`?\nEnter a role of this server, or `none`.',
  );
});

test('of many names in a list, those with spaces and commas are read as they are', async () => {
  const guild = desk.nextGuild();
  const names = ['Team', 'Team A', 'B, C', 'none', '日本 語'];
  const ids = names.map((name, index) => {
    const id = `8${index}${guild.id.slice(2)}`;
    world.addRole({ id, guildId: guild.id, name });
    return id;
  });
  const named = (...indices: number[]) => indices.map((index) => ids[index]);
  for (const [value, expected] of [
    ['Team A, B, C, @Team', named(1, 2, 0)],
    ['@team @Team A @B, C', named(0, 1, 2)],
    [`'Team' "team a" “B, C”`, named(0, 1, 2)],
    ['日本 語、Team，none', named(4, 0, 3)],
    [`<@&${ids[0]}> Team A ${ids[2]}`, named(0, 1, 2)],
  ] as const) {
    await ask(guild, 'set', { setting: 'roles', value });
    expect(await storedOf(guild), value).toMatchObject({ roles: expected });
    await desk.change(guild, { custom: { roles: [] } });
    await write(guild, `?settings set roles ${value}`);
    expect(await storedOf(guild), value).toMatchObject({ roles: expected });
    await desk.change(guild, { custom: { roles: [] } });
  }
  await ask(guild, 'add', { setting: 'roles', item: 'b, c' });
  await write(guild, '?settings add roles Team A');
  expect(await storedOf(guild)).toMatchObject({ roles: named(2, 1) });
  await write(guild, '?settings remove roles "team a"');
  await ask(guild, 'remove', { setting: 'roles', item: 'B, C' });
  expect(await storedOf(guild)).toMatchObject({ roles: [] });
  expect(await ask(guild, 'set', { setting: 'roles', value: 'Team, nobody' })).toContain('Enter a role of this server');
});

test('a name of several is refused with all of them, unless one alone fits', async () => {
  const guild = desk.nextGuild();
  const { voice, plain, managed } = furnish(guild);
  const other = `9${guild.id.slice(1)}`;
  world.addRole({ id: other, guildId: guild.id, name: 'helpers' });
  expect(await ask(guild, 'set', { setting: 'helper', value: '@HELPERS' })).toBe(
    `Several have the name \`@HELPERS\`: <@&${plain}> (\`${plain}\`), <@&${other}> (\`${other}\`). Mention the one you mean, or enter its ID.`,
  );
  expect(await write(guild, '?settings set roles Other bot, HELPERS')).toContain('Several have the name `HELPERS`');
  expect(await ask(guild, 'set', { setting: 'helper', value: 'helpers' })).toContain(`→ <@&${other}>`);
  await desk.change(guild, { custom: { roles: [plain, managed] } });
  expect(await ask(guild, 'remove', { setting: 'roles', item: 'HELPERS' })).toContain('→');
  expect(await storedOf(guild)).toMatchObject({ roles: [managed] });

  world.addChannel({ id: other, guildId: guild.id, name: 'talk' });
  expect(await ask(guild, 'set', { setting: 'logChannel', value: 'talk' })).toContain(`→ <#${other}>`);
  expect(await ask(guild, 'add', { setting: 'ignored', item: '#talk' })).toContain(
    `<#${voice}> (\`${voice}\`), <#${other}>`,
  );
});

test('a channel that a person does not see is not found by its name, and is not suggested', async () => {
  const guild = desk.nextGuild();
  const hidden = `9${guild.id.slice(1)}`;
  const twin = `8${guild.id.slice(1)}`;
  for (const [id, name] of [
    [hidden, 'secret-plans'],
    [twin, 'general'],
  ] as const) {
    world.addChannel({ id, guildId: guild.id, name });
    world.setChannelPermissions(id, { [manager.id]: { deny: PermissionFlagsBits.ViewChannel } });
  }
  const refused = await ask(guild, 'set', { setting: 'logChannel', value: '#no-such-one' });
  for (const value of ['#secret-plans', 'secret-plans', 'secret-plan']) {
    expect(await ask(guild, 'set', { setting: 'logChannel', value })).toBe(refused);
    expect(await write(guild, `?settings set logChannel ${value}`)).toBe(refused);
    expect(await ask(guild, 'add', { setting: 'ignored', item: value })).toContain('Enter a channel of this server');
  }
  expect(await ask(guild, 'set', { setting: 'logChannel', value: 'general' })).toContain(`→ <#${guild.channel}>`);
  const typed = people.type(manager.id, guild.channel, 'settings add', { setting: 'ignored', item: '' }, 'item');
  expect(await typed.suggestions()).toEqual([{ name: '#general', value: guild.channel }]);
});

test('the link to a channel outside the server is refused as such, in lists too', async () => {
  const guild = desk.nextGuild();
  const { channel, id } = desk.nextGuild();
  const refused = `That link leads to a channel outside this server. Enter a channel of this server, such as <#${guild.channel}>.`;
  for (const place of [`${id}/${channel}`, `${id}/${guild.channel}`, `@me/${channel}`]) {
    const value = `https://discord.com/channels/${place}`;
    expect(await ask(guild, 'set', { setting: 'logChannel', value })).toBe(refused);
    expect(await ask(guild, 'add', { setting: 'ignored', item: value })).toBe(refused);
    expect(await write(guild, `?settings set ignored general, ${value}`)).toBe(refused);
  }
  const unknown = `https://discord.com/channels/${guild.id}/${channel}`;
  expect(await ask(guild, 'set', { setting: 'logChannel', value: unknown })).toContain(
    'Enter a channel of this server',
  );
});

test('a reply names the permission that a channel’s setting needs and the bot lacks, and nothing that is not needed', async () => {
  const guild = desk.nextGuild();
  const { voice } = furnish(guild);
  const quiet = `8${guild.id.slice(1)}`;
  const denied = PermissionFlagsBits.SendMessages | PermissionFlagsBits.ManageMessages;
  world.addChannel({ id: quiet, guildId: guild.id, name: 'quiet', permissions: { [desk.botId]: { deny: denied } } });
  expect(await ask(guild, 'add', { setting: 'ignored', item: `<#${quiet}>` })).not.toContain('bot');
  expect(await ask(guild, 'set', { setting: 'logChannel', value: `<#${quiet}>` })).toContain(
    `<#${quiet}>: The bot cannot write here: it lacks “Send Messages”\nGive the bot this permission`,
  );
  expect(await ask(guild, 'set', { setting: 'art', value: guild.channel })).toContain(
    `<#${guild.channel}>: The bot lacks “Manage Messages” here\nGive the bot`,
  );
  world.setChannelPermissions(guild.channel, { [desk.botId]: { allow: PermissionFlagsBits.ManageMessages } });
  await write(guild, '?settings');
  await ask(guild, 'set', { setting: 'art', value: 'none' });
  expect(await ask(guild, 'set', { setting: 'art', value: guild.channel })).not.toContain('lacks');
  world.setChannelPermissions(voice, { [desk.botId]: { allow: PermissionFlagsBits.Connect } });
  expect(await write(guild, `?settings set stage <#${voice}>`)).toContain(`<#${voice}>: The bot lacks “Speak” here`);
});
