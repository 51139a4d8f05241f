import { type ChatInputCommandInteraction, Events, MessageFlags, PermissionFlagsBits } from 'discord.js';
import { expect } from 'vitest';
import { answerCommands, CHANNEL, type ScopedClient, sendableChannel, test, withButtons } from '../testing/bot-sim.ts';
import { ask, listen, place, send } from '../testing/chat-client.ts';
import { json, MEMBER, OWNER } from '../testing/populated-sim.ts';

const HERE = place(MEMBER, CHANNEL);
const ADD = {
  type: 1 as const,
  name: 'add',
  description: 'Adds one',
  descriptionLocalizations: { ru: 'Добавляет' },
  options: [
    { type: 3 as const, name: 'text', description: 'What', required: true, maxLength: 10 },
    { type: 4 as const, name: 'times', description: 'Times', choices: [{ name: 'once', value: 1 }] },
  ],
};
const COMMANDS = [
  { name: 'remind', nameLocalizations: { ru: 'напомнить' }, description: 'Reminders', options: [ADD] },
  { name: 'settings', description: 'Settings', defaultMemberPermissions: PermissionFlagsBits.ManageGuild },
];

/** Answers each of the commands. */
function answering(client: ScopedClient, answer: (interaction: ChatInputCommandInteraction) => Promise<unknown>) {
  return answerCommands(client, COMMANDS, answer);
}

test('commands that the person may use are listed down to their subcommands, in the language of the client', async ({
  client,
  discord,
}) => {
  await answering(client, async () => undefined);
  const noChoice = { choices: [], completes: false, min: null };
  const once = { choices: [{ label: 'once', value: 1 }], completes: false, min: null };
  expect(await json(ask(discord, `${HERE}/commands?locale=ru`))).toStrictEqual({
    commands: [
      {
        command: 'remind add',
        name: 'напомнить add',
        description: 'Добавляет',
        bot: 'Settings',
        options: [
          { name: 'text', label: 'text', description: 'What', kind: 'text', required: true, ...noChoice, max: 10 },
          { name: 'times', label: 'times', description: 'Times', kind: 'integer', required: false, ...once, max: null },
        ],
      },
    ],
  });
});

test('a command reaches the bot, and its answer streams, first as a placeholder', async ({ client, discord }) => {
  await answering(client, async (interaction) => {
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
  expect(await json(ask(discord, `${HERE}/interactions/${interactionId}`))).toStrictEqual({
    answered: true,
    modal: null,
  });
});

test('an ephemeral answer is for the person who asked, and for nobody else', async ({ client, discord }) => {
  await answering(client, async (interaction) => {
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
  const { id } = await (await sendableChannel(client)).send({ content: 'sure?', ...withButtons('yes') });
  using stream = await listen(discord, HERE);
  expect(await stream.next()).toMatchObject({
    data: { messages: [{ buttons: [[{ customId: 'yes', label: 'yes', style: 1, disabled: false, url: null }]] }] },
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

test('what the person may not use is refused in readable words', async ({ client, discord }) => {
  await answering(client, async () => undefined);
  for (const [body, status, message] of [
    [{ command: 'settings' }, 403, /^User mika is not shown command settings in guild Ünïcode$/],
    [{ command: 'remind add' }, 403, /requires option text/],
    [{ command: '' }, 400, /^command: expected/],
    [{ command: 'x', values: [] }, 400, /^values: expected/],
    [{ command: 'x', values: { a: null } }, 400, /^values\.a: expected/],
    [{ command: 'x', locale: 'xx' }, 400, /^locale: expected/],
  ] as const) {
    const response = await send(discord, `${HERE}/commands`, body);
    const refusal = { message: expect.stringMatching(message) };
    expect([body, response.status, await response.json()]).toStrictEqual([body, status, refusal]);
  }
});

test('the page shows choices while the person types, and the modal that a bot opens', async ({ client, discord }) => {
  const option = { type: 3 as const, name: 'setting', description: 'Which', autocomplete: true };
  await client.application.commands.set([{ name: 'set', description: 'Sets', options: [option] }]);
  const input = { type: 4, custom_id: 'text', style: 2, value: 'before', max_length: 9 };
  const menu = { type: 6, custom_id: 'role', required: false };
  const components = [
    { type: 18, label: 'Text', description: 'Any', component: input },
    { type: 18, label: 'Role', component: menu },
  ];
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isAutocomplete()) void interaction.respond([{ name: 'Prefix', value: 'prefix' }]);
    if (interaction.isChatInputCommand()) {
      void interaction.showModal({ custom_id: 'm', title: 'Title', components } as never);
    }
    if (interaction.isModalSubmit()) void interaction.reply(interaction.fields.getTextInputValue('text'));
  });
  const typed = { command: 'set', values: { setting: 'pre' }, focused: 'setting' };
  expect(await json(send(discord, `${HERE}/choices`, typed))).toEqual({
    choices: [{ name: 'Prefix', value: 'prefix' }],
  });
  const used = await json(send(discord, `${HERE}/commands`, { command: 'set', values: { setting: 'prefix' } }));
  const at = `${HERE}/interactions/${(used as { interactionId: string }).interactionId}`;
  expect(await json(ask(discord, at))).toMatchObject({
    answered: true,
    modal: {
      title: 'Title',
      fields: [
        { customId: 'text', label: 'Text', description: 'Any', text: { value: 'before', lines: 'many' }, max: 9 },
        { customId: 'role', required: false, text: null, options: [] },
      ],
    },
  });
  expect((await send(discord, `${at}/submit`, { values: { text: 'far too long' } })).status).toBe(403);
  expect((await send(discord, `${at}/submit`, { values: { text: 5 } })).status).toBe(400);
  expect((await send(discord, `${at}/submit`, { values: { text: 'after', role: [] } })).status).toBe(202);
  expect(await discord.messages.waitFor(({ content }) => content === 'after')).toMatchObject({ ephemeral: false });
});
