import { type AutocompleteInteraction, Events, Routes, ApplicationCommandOptionType as Type } from 'discord.js';
import { expect } from 'vitest';
import { CHANNEL, pending, readyClient, type ScopedClient, startBotSim, test } from '../testing/bot-sim.ts';
import { MEMBER } from '../testing/populated-sim.ts';

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

/** Registers the command, and has a function respond while it is typed. */
async function completing(client: ScopedClient, respond: (typed: AutocompleteInteraction) => Promise<unknown>) {
  const failures: unknown[] = [];
  await client.application.commands.set([SET]);
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isAutocomplete()) respond(interaction).catch((error: unknown) => failures.push(error));
  });
  return failures;
}

test('the bot offers choices for the option that is typed, and knows the others so far', async ({
  client,
  discord,
}) => {
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
  const refused = pending<unknown>();
  await completing(client, (typed) => typed.respond(choices as never).catch(refused.resolve));
  discord.people.type(MEMBER.id, CHANNEL.id, 'settings set', {}, 'setting');
  expect(JSON.stringify(await refused.promise)).toContain(code);
});

test('a message is no response to what is typed, and choices are none to a command', async ({ client, discord }) => {
  const refused = pending<unknown>();
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
