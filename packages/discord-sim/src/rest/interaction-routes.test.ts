import {
  type AutocompleteInteraction,
  Events,
  type InteractionCallbackResponse,
  type MessageComponentInteraction,
  Routes,
  ApplicationCommandOptionType as Type,
} from 'discord.js';
import { expect } from 'vitest';
import {
  APPLICATION,
  asBot,
  CHANNEL,
  MEMBER,
  readyClient,
  type ScopedClient,
  sendableChannel,
  startBotSim,
  botTest as test,
  withButtons,
} from '../testing/test-sim.ts';

const RESPONSES: readonly [
  (interaction: MessageComponentInteraction) => Promise<InteractionCallbackResponse>,
  string | null,
][] = [
  [(interaction) => interaction.reply({ content: 'done', withResponse: true }), 'done'],
  [(interaction) => interaction.update({ content: 'changed', withResponse: true }), 'changed'],
  [(interaction) => interaction.deferReply({ withResponse: true }), null],
  [(interaction) => interaction.deferUpdate({ withResponse: true }), null],
];

test('a reply and an update come with their message, deferred ones without', async ({ client, discord }) => {
  const responses: (string | null)[] = [];
  client.on(Events.InteractionCreate, async (interaction) => {
    if (!interaction.isButton()) return;
    const response = await RESPONSES[Number(interaction.customId)]?.[0](interaction);
    responses.push(response?.resource?.message?.content ?? null);
  });
  const { id } = await (await sendableChannel(client)).send(withButtons('0', '1', '2', '3'));
  for (const [index, [, content]] of RESPONSES.entries()) {
    discord.people.press(MEMBER.id, id, String(index));
    await expect.poll(() => responses.slice(index)).toStrictEqual([content]);
  }
});

test('names the errors of a response below its data', async ({ client, discord }) => {
  await asBot(discord, 'PUT', `/applications/${APPLICATION.id}/commands`, [{ name: 'tea', description: 'Tea' }]);
  const used = new Promise<{ id: string; token: string }>((resolve) => {
    client.on(Events.InteractionCreate, resolve);
  });
  discord.people.slash(MEMBER.id, CHANNEL.id, 'tea');
  const { id, token } = await used;
  const respond = async (body: unknown) => {
    const response = await asBot(discord, 'POST', `/interactions/${id}/${token}/callback`, body);
    return ((await response.json()) as { errors: unknown }).errors;
  };
  expect(await respond({ type: 4, data: { content: 5 } })).toMatchObject({
    data: { content: { _errors: [{ code: 'STRING_TYPE_CONVERT' }] } },
  });
  expect(await respond({ type: 12 })).toMatchObject({ type: { _errors: [{ code: 'BASE_TYPE_CHOICES' }] } });
  expect(await respond({})).toMatchObject({ type: { _errors: [{ code: 'BASE_TYPE_REQUIRED' }] } });
});

const SET = {
  name: 'settings',
  description: 'Settings',
  options: [
    {
      type: Type.Subcommand as const,
      name: 'set',
      description: 'Sets one',
      options: [
        { type: Type.String as const, name: 'setting', description: 'Which', required: true, autocomplete: true },
        { type: Type.String as const, name: 'value', description: 'Value', required: true, autocomplete: true },
        { type: Type.Integer as const, name: 'times', description: 'Times', autocomplete: true },
        { type: Type.String as const, name: 'plain', description: 'Plain' },
      ],
    },
  ],
};

async function completing(client: ScopedClient, respond: (typed: AutocompleteInteraction) => Promise<unknown>) {
  const failures: unknown[] = [];
  await client.application.commands.set([SET]);
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isAutocomplete()) respond(interaction).catch((error: unknown) => failures.push(error));
  });
  return failures;
}

test('the bot offers choices for the typed option, and knows the others so far', async ({ client, discord }) => {
  await completing(client, (typed) => {
    const { name, value } = typed.options.getFocused(true);
    return typed.respond([{ name: `${typed.options.getSubcommand()} ${name}`, value: `${value}!` }]);
  });
  const typing = discord.people.type(MEMBER.id, CHANNEL.id, 'settings set', { setting: 'pre' }, 'setting');
  expect(await typing.suggestions()).toEqual([{ name: 'set setting', value: 'pre!' }]);
  expect(typing.messages()).toEqual([]);
});

test.each<[string, unknown, string]>([
  [
    'more than 25 choices',
    Array.from({ length: 26 }, (_, at) => ({ name: `${at}`, value: 'x' })),
    'BASE_TYPE_MAX_LENGTH',
  ],
  ['a name of 101 characters', [{ name: 'x'.repeat(101), value: 'x' }], 'BASE_TYPE_BAD_LENGTH'],
  ['a value of 101 characters', [{ name: 'x', value: 'x'.repeat(101) }], 'BASE_TYPE_BAD_LENGTH'],
  ['a number for a text', [{ name: 'x', value: 1 }], 'STRING_TYPE_CONVERT'],
])('%s is refused', async (_what, choices, code) => {
  await using discord = await startBotSim();
  await using client = await readyClient(discord);
  const refused = Promise.withResolvers<unknown>();
  await completing(client, (typed) => typed.respond(choices as never).catch(refused.resolve));
  discord.people.type(MEMBER.id, CHANNEL.id, 'settings set', {}, 'setting');
  expect(JSON.stringify(await refused.promise)).toContain(code);
});

test('a message is no response to what is typed, and choices are none to a command', async ({ client, discord }) => {
  const refused = Promise.withResolvers<unknown>();
  await completing(client, (typed) => {
    const route = Routes.interactionCallback(typed.id, typed.token);
    return client.rest.post(route, { body: { type: 4, data: { content: 'x' } }, auth: false }).catch(refused.resolve);
  });
  discord.people.type(MEMBER.id, CHANNEL.id, 'settings set', {}, 'value');
  expect(JSON.stringify(await refused.promise)).toContain('Value must be one of {8}');
});

test('only an option with autocompletion can be typed so', async ({ client, discord }) => {
  await completing(client, async () => undefined);
  const type = (command: string, focused: string) => () =>
    discord.people.type(MEMBER.id, CHANNEL.id, command, {}, focused);
  expect(type('settings set', 'plain')).toThrow('has no autocompletion');
  expect(type('settings set', 'other')).toThrow('has no autocompletion');
  expect(type('settings get', 'value')).toThrow('has no subcommand get');
});
