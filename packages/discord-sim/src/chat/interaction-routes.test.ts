import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  type ChatInputCommandInteraction,
  Events,
  MessageFlags,
  SlashCommandBuilder,
} from 'discord.js';
import { expect } from 'vitest';
import type { DiscordSim } from '../sim.ts';
import { CHANNEL, readyClient, type ScopedClient, test } from '../testing/bot-sim.ts';
import { ask, listen, place, send } from '../testing/chat-client.ts';
import { json, MEMBER, OWNER } from '../testing/populated-sim.ts';

const HERE = place(MEMBER, CHANNEL);
const REMIND = new SlashCommandBuilder()
  .setName('remind')
  .setNameLocalizations({ ru: 'напомнить' })
  .setDescription('Reminders')
  .addSubcommand((add) =>
    add
      .setName('add')
      .setDescription('Adds one')
      .setDescriptionLocalizations({ ru: 'Добавляет' })
      .addStringOption((text) => text.setName('text').setDescription('What').setRequired(true).setMaxLength(10))
      .addIntegerOption((times) =>
        times.setName('times').setDescription('Times').addChoices({ name: 'once', value: 1 }),
      ),
  );
const SETTINGS = new SlashCommandBuilder()
  .setName('settings')
  .setDescription('Settings')
  .setDefaultMemberPermissions(32);

async function answering(
  discord: DiscordSim,
  answer: (interaction: ChatInputCommandInteraction) => Promise<unknown>,
): Promise<ScopedClient> {
  const client = await readyClient(discord);
  await client.application.commands.set([REMIND, SETTINGS]);
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isChatInputCommand()) void answer(interaction);
  });
  return client;
}

test('commands are listed down to their subcommands, in the language of the client', async ({ discord }) => {
  await using _client = await answering(discord, async () => undefined);
  expect(await json(ask(discord, `${HERE}/commands?locale=ru`))).toStrictEqual({
    commands: [
      {
        command: 'remind add',
        name: 'напомнить add',
        description: 'Добавляет',
        bot: 'Settings',
        shown: true,
        options: [
          {
            name: 'text',
            label: 'text',
            description: 'What',
            kind: 'text',
            required: true,
            choices: [],
            min: null,
            max: 10,
          },
          {
            name: 'times',
            label: 'times',
            description: 'Times',
            kind: 'integer',
            required: false,
            choices: [{ label: 'once', value: 1 }],
            min: null,
            max: null,
          },
        ],
      },
      { command: 'settings', name: 'settings', description: 'Settings', bot: 'Settings', shown: false, options: [] },
    ],
  });
});

test('a command reaches the bot, and its answer streams, first as a placeholder', async ({ discord }) => {
  await using _client = await answering(discord, async (interaction) => {
    await interaction.deferReply();
    await interaction.editReply(`${interaction.locale} ${interaction.options.getString('text')}`);
  });
  using stream = await listen(discord, HERE);
  const use = { command: 'remind add', values: { text: 'tea', times: 1 }, locale: 'ja' };
  const response = await send(discord, `${HERE}/commands`, use);
  expect(response.status).toBe(202);
  expect(await stream.next(({ event }) => event === 'message')).toMatchObject({
    data: { loading: true, content: '', use: { name: 'mika', command: 'remind add' } },
  });
  expect(await stream.next()).toMatchObject({
    event: 'message',
    data: { loading: false, content: 'ja tea', editedAt: null, author: { name: 'Settings', bot: true } },
  });
  const { interactionId } = (await response.json()) as { interactionId: string };
  expect(await json(ask(discord, `${HERE}/interactions/${interactionId}`))).toStrictEqual({ answered: true });
});

test('an ephemeral answer is for the person who asked, and for nobody else', async ({ discord }) => {
  await using _client = await answering(discord, async (interaction) => {
    await interaction.reply({ content: 'secret', flags: MessageFlags.Ephemeral });
  });
  using mine = await listen(discord, HERE);
  using theirs = await listen(discord, place(OWNER, CHANNEL));
  await send(discord, `${HERE}/commands`, { command: 'remind add', values: { text: 'tea' } });
  expect(await mine.next(({ event }) => event === 'message')).toMatchObject({
    data: { content: 'secret', ephemeral: true },
  });
  discord.people.sendMessage(OWNER.id, CHANNEL.id, 'after it');
  expect(await theirs.next(({ event }) => event === 'message')).toMatchObject({ data: { content: 'after it' } });
  expect(await json(ask(discord, `${HERE}/messages`))).toMatchObject({ messages: { length: 2 } });
  expect(await json(ask(discord, `${place(OWNER, CHANNEL)}/messages`))).toMatchObject({ messages: { length: 1 } });
});

test('a button is pressed, and the message changes', async ({ client, discord }) => {
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isButton()) void interaction.update(`pressed in ${interaction.locale}`);
  });
  const channel = await client.channels.fetch(CHANNEL.id);
  if (!channel?.isSendable()) throw new Error('Not sendable');
  const button = new ButtonBuilder().setCustomId('yes').setLabel('Yes').setEmoji('✅').setStyle(ButtonStyle.Success);
  const row = new ActionRowBuilder<ButtonBuilder>().addComponents(button);
  const { id } = await channel.send({ content: 'sure?', components: [row] });
  using stream = await listen(discord, HERE);
  expect(await stream.next()).toMatchObject({
    data: { messages: [{ buttons: [[{ customId: 'yes', label: '✅ Yes', style: 3, disabled: false, url: null }]] }] },
  });
  expect((await send(discord, `${HERE}/messages/${id}/press`, { customId: 'yes', locale: 'hi' })).status).toBe(202);
  expect(await stream.next()).toMatchObject({ event: 'message', data: { id, content: 'pressed in hi' } });
  const wrong = await send(discord, `${HERE}/messages/${id}/press`, { customId: 'no' });
  expect([wrong.status, await wrong.json()]).toMatchObject([
    403,
    { message: expect.stringContaining('no button "no"') },
  ]);
  expect((await send(discord, `${HERE}/messages/1/press`, { customId: 'yes' })).status).toBe(404);
});

test('what the person may not use is refused in readable words', async ({ discord }) => {
  await using _client = await answering(discord, async () => undefined);
  const refused = async (body: unknown) => {
    const response = await send(discord, `${HERE}/commands`, body);
    return [response.status, await json<{ message: string }>(Promise.resolve(response))];
  };
  expect(await refused({ command: 'settings' })).toStrictEqual([
    403,
    { message: 'User mika is not shown command settings in guild Ünïcode' },
  ]);
  expect(await refused({ command: 'remind add' })).toMatchObject([
    403,
    { message: expect.stringMatching(/requires option text/) },
  ]);
  expect(await refused({ command: '' })).toMatchObject([400, { message: expect.stringMatching(/^command: expected/) }]);
  expect(await refused({ command: 'x', values: [] })).toMatchObject([
    400,
    { message: expect.stringMatching(/^values: expected/) },
  ]);
  expect(await refused({ command: 'x', values: { a: null } })).toMatchObject([
    400,
    { message: expect.stringMatching(/^values\.a: expected/) },
  ]);
  expect(await refused({ command: 'x', locale: 'xx' })).toMatchObject([
    400,
    { message: expect.stringMatching(/^locale: expected/) },
  ]);
});
