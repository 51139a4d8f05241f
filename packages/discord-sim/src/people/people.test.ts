import {
  type ChatInputCommandInteraction,
  Events,
  InteractionResponseType,
  MessageFlags,
  PermissionFlagsBits,
  ApplicationCommandOptionType as Type,
} from 'discord.js';
import { expect } from 'vitest';
import {
  answerCommands,
  CHANNEL,
  GUILD,
  MEMBER,
  OWNER,
  readyClient,
  sendableChannel,
  startBotSim,
  botTest as test,
  withButtons,
} from '../testing/test-sim.ts';

const { ManageGuild } = PermissionFlagsBits;
const REMIND = {
  name: 'remind',
  description: 'Reminders',
  options: [
    {
      type: Type.Subcommand as const,
      name: 'add',
      description: 'Adds one',
      options: [
        { type: Type.String as const, name: 'when', description: 'When', required: true },
        { type: Type.String as const, name: 'text', description: 'What', required: true, maxLength: 10 },
        { type: Type.User as const, name: 'who', description: 'Who' },
        { type: Type.Channel as const, name: 'where', description: 'Where' },
        { type: Type.Integer as const, name: 'times', description: 'Times', maxValue: 3 },
      ],
    },
  ],
};
const SETTINGS = { name: 'settings', description: 'Settings', defaultMemberPermissions: ManageGuild };
const TEA = { when: 'in 10m', text: 'tea' };

test('a command reaches the bot with options, language and permissions, and back', async ({ client, discord }) => {
  await answerCommands(client, [REMIND, SETTINGS], async (interaction) => {
    const { options, locale, memberPermissions } = interaction;
    const [who, where] = [options.getMember('who'), options.getChannel('where')];
    const manages = memberPermissions?.has(ManageGuild);
    const texts = [options.getSubcommand(), options.getString('when'), options.getInteger('times'), locale, manages];
    await interaction.reply({
      content: texts.join(),
      embeds: [{ title: `${who && 'id' in who ? who.id : ''} ${where?.name}` }],
      flags: MessageFlags.Ephemeral,
    });
  });
  const values = { ...TEA, who: OWNER.id, where: CHANNEL.id, times: 2 };
  const slash = discord.people.slash(MEMBER.id, GUILD.id, 'remind add', values, { locale: 'ru' });
  expect(await slash.reply()).toMatchObject({
    content: 'add,in 10m,2,ru,false',
    embeds: [{ title: `${OWNER.id} ${CHANNEL.name}` }],
    channelId: CHANNEL.id,
    ephemeral: true,
  });
});

test('a deferred answer is awaited until it is filled in, follow-ups come after it', async ({ client, discord }) => {
  await answerCommands(client, [REMIND, SETTINGS], async (interaction) => {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await interaction.editReply('done');
    await interaction.followUp({ content: 'more', flags: MessageFlags.Ephemeral });
    const read = await interaction.fetchReply();
    const gone = await interaction.followUp('gone');
    await interaction.deleteReply(gone);
    await interaction.editReply(`${read.content}!`);
  });
  const slash = discord.people.slash(MEMBER.id, CHANNEL.id, 'remind add', TEA);
  expect(await slash.reply()).toMatchObject({ content: 'done', ephemeral: true });
  expect(slash.responseType).toBe(InteractionResponseType.DeferredChannelMessageWithSource);
  await discord.messages.waitFor(({ content }) => content === 'done!');
  expect(slash.messages()).toMatchObject([
    { content: 'done!', ephemeral: true, deleted: false },
    { content: 'more', ephemeral: true },
    { content: 'gone', ephemeral: false, deleted: true },
  ]);
});

test('a second answer is refused, and so is one that comes too late', async () => {
  let now = Date.now();
  await using discord = await startBotSim({ clock: () => now });
  const errors: unknown[] = [];
  const say = async (interaction: ChatInputCommandInteraction) => {
    const body = { body: { type: 4, data: { content: 'hi' } }, auth: false };
    const path = `/interactions/${interaction.id}/${interaction.token}/callback` as const;
    const post = () => interaction.client.rest.post(path, body).catch((error: unknown) => errors.push(error));
    if (interaction.options.getString('text') === 'late') now += 3_001;
    await post();
    await post();
  };
  await using client = await readyClient(discord);
  await answerCommands(client, [REMIND, SETTINGS], say);
  discord.people.slash(MEMBER.id, CHANNEL.id, 'remind add', TEA);
  await expect.poll(() => errors).toMatchObject([{ code: 40060 }]);
  discord.people.slash(MEMBER.id, CHANNEL.id, 'remind add', { ...TEA, text: 'late' });
  await expect.poll(() => errors).toMatchObject([{ code: 40060 }, { code: 10062 }, { code: 10062 }]);
  expect(discord.messages.in(CHANNEL.id)).toHaveLength(1);
});

test('people cannot use what Discord would not let them use', async ({ client, discord }) => {
  await answerCommands(client, [REMIND, SETTINGS], (interaction) => interaction.reply('ok'));
  const { people } = discord;
  const use = (command: string, values = {}) => people.slash(MEMBER.id, CHANNEL.id, command, values);
  expect(() => use('nothing')).toThrow('has registered');
  expect(() => use('remind')).toThrow('needs a subcommand');
  expect(() => use('remind drop')).toThrow('no subcommand');
  expect(() => use('remind add', { when: 'x' })).toThrow('requires option text');
  expect(() => use('remind add', { ...TEA, colour: 'red' })).toThrow('no option colour');
  expect(() => use('remind add', { ...TEA, text: 'x'.repeat(11) })).toThrow('does not take');
  expect(() => use('remind add', { ...TEA, times: 1.5 })).toThrow('does not take');
  expect(() => use('remind add', { ...TEA, times: 4 })).toThrow('does not take');
  expect(() => use('settings')).toThrow('not shown');
  expect(await people.slash(OWNER.id, CHANNEL.id, 'settings').reply()).toMatchObject({ content: 'ok' });
  discord.world.setChannelPermissions(CHANNEL.id, { '@everyone': {} });
  expect(() => people.sendMessage(MEMBER.id, CHANNEL.id, 'hi')).toThrow('may not');
});

test('waiting begins after a message if one is given, and ends with its deadline or the simulator', async () => {
  const discord = await startBotSim();
  const first = discord.people.sendMessage(MEMBER.id, CHANNEL.id, 'same');
  const second = discord.messages.waitFor(({ content }) => content === 'same', { after: first.id });
  expect(discord.people.sendMessage(MEMBER.id, CHANNEL.id, 'same').id).toBe((await second).id);
  await expect(discord.messages.waitFor(() => false, { timeoutMs: 1 })).rejects.toThrow('within 1 ms');
  const waiting = expect(discord.messages.waitFor(() => false, { timeoutMs: 60_000 })).rejects.toThrow('closed');
  await discord.close();
  await waiting;
});

test('watching tells of what is written, edited and deleted, until it ends', async ({ client, discord }) => {
  const seen: string[] = [];
  const stop = discord.messages.watch(({ content, deleted }) => seen.push(deleted ? 'deleted' : content));
  const channel = await sendableChannel(client);
  const sent = await channel.send('one');
  await sent.edit('two');
  await sent.delete();
  stop();
  await channel.send('unseen');
  expect(seen).toStrictEqual(['one', 'two', 'deleted']);
});

test('a button of a private reply is for its user alone, of a public one for all', async ({ client, discord }) => {
  const { people, world } = discord;
  const metadata: unknown[] = [];
  client.on(Events.InteractionCreate, (interaction) => {
    if (!interaction.isButton()) return;
    metadata.push(interaction.message.interactionMetadata);
    void interaction.reply({ content: `pressed by ${interaction.user.id}`, flags: MessageFlags.Ephemeral });
  });
  await answerCommands(client, [REMIND], async (interaction) => {
    const isPrivate = interaction.options.getString('text') === 'private';
    await interaction.reply({ ...withButtons('yes'), ...(isPrivate && { flags: MessageFlags.Ephemeral }) });
  });
  const use = (text: string) => people.slash(MEMBER.id, CHANNEL.id, 'remind add', { ...TEA, text });
  const mine = await use('private').reply();
  expect(() => people.press(OWNER.id, mine.id, 'yes')).toThrow('no button');
  expect(await people.press(MEMBER.id, mine.id, 'yes').reply()).toMatchObject({ content: `pressed by ${MEMBER.id}` });
  const open = await use('public').reply();
  expect(await people.press(OWNER.id, open.id, 'yes').reply()).toMatchObject({ content: `pressed by ${OWNER.id}` });
  const user = expect.objectContaining({ id: MEMBER.id });
  expect(metadata).toMatchObject([mine, open].map(({ interactionId: id }) => ({ id, type: 2, user })));
  expect(world.messages.all()).toHaveLength(4);
});

test('a button is pressed, and the bot changes its message at once or later', async ({ client, discord }) => {
  client.on(Events.InteractionCreate, async (interaction) => {
    if (!interaction.isButton()) return;
    if (interaction.customId === 'now') await interaction.update('changed at once');
    else await interaction.deferUpdate().then(() => interaction.editReply('changed later'));
  });
  const { id } = await (await sendableChannel(client)).send(withButtons('now', 'later'));
  discord.people.press(MEMBER.id, id, 'now');
  await discord.messages.waitFor((message) => message.id === id && message.content === 'changed at once');
  const later = discord.people.press(MEMBER.id, id, 'later');
  await discord.messages.waitFor((message) => message.id === id && message.content === 'changed later');
  expect(later.responseType).toBe(InteractionResponseType.DeferredMessageUpdate);
  expect(discord.messages.in(CHANNEL.id)).toHaveLength(1);
  expect(() => discord.people.press(MEMBER.id, id, 'never')).toThrow('no button');
});
