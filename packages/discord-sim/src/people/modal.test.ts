import {
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  Events,
  type ModalSubmitInteraction,
  Routes,
  TextInputStyle,
} from 'discord.js';
import { expect } from 'vitest';
import {
  CHANNEL,
  GUILD,
  MEMBER,
  OWNER,
  readyClient,
  type ScopedClient,
  startBotSim,
  botTest as test,
} from '../testing/test-sim.ts';

const { ChannelSelect, Label, RoleSelect, StringSelect, TextInput } = ComponentType;
const ROLE = '1500000000000000001';
const labelled = (label: string, component: object) => ({ type: Label, label, description: 'About it', component });
const text = (more: object = {}) => ({ type: TextInput, custom_id: 'text', style: TextInputStyle.Paragraph, ...more });
const options = ['a', 'b'].map((value) => ({ label: value.toUpperCase(), value, default: value === 'b' }));
const modalOf = (...components: object[]) =>
  ({ custom_id: 'm', title: 'T', components }) as unknown as APIModalInteractionResponseCallbackData;

/** Registers a command that opens a modal, and collects errors and submitted values. */
async function opening(client: ScopedClient, modal: APIModalInteractionResponseCallbackData) {
  const refused = Promise.withResolvers<unknown>();
  const submitted = Promise.withResolvers<ModalSubmitInteraction>();
  await client.application.commands.set([{ name: 'edit', description: 'Edits' }]);
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isChatInputCommand()) interaction.showModal(modal).catch(refused.resolve);
    if (interaction.isModalSubmit()) {
      void interaction.reply('saved');
      submitted.resolve(interaction);
    }
  });
  return { refused: refused.promise, submitted: submitted.promise };
}

test('a modal is filled in and submitted, and what was left alone keeps its value', async ({ client, discord }) => {
  discord.world.addRole({ id: ROLE, guildId: GUILD.id, name: 'Helpers' });
  const modal = modalOf(
    labelled('Text', text({ value: 'before', max_length: 2_000 })),
    labelled('Choice', { type: StringSelect, custom_id: 'choice', options }),
    labelled('Role', { type: RoleSelect, custom_id: 'role', required: false, max_values: 3 }),
    labelled('Channel', {
      type: ChannelSelect,
      custom_id: 'channel',
      channel_types: [0],
      default_values: [{ id: CHANNEL.id, type: 'channel' }],
    }),
  );
  const { submitted } = await opening(client, modal);
  const used = discord.people.slash(MEMBER.id, CHANNEL.id, 'edit');
  expect(await used.modal()).toMatchObject({ custom_id: 'm', title: 'T' });
  expect(used.messages()).toEqual([]);
  const typed = `${'👋'.repeat(1_998)}\n*`;
  const saved = discord.people.submit(MEMBER.id, used.id, { text: typed, role: [ROLE] });
  const { fields } = await submitted;
  expect(fields.getTextInputValue('text')).toBe(typed);
  expect(fields.getStringSelectValues('choice')).toEqual(['b']);
  expect(fields.getSelectedRoles('role')?.map((role) => role?.name)).toEqual(['Helpers']);
  expect(fields.getSelectedChannels('channel')?.map(({ id }) => id)).toEqual([CHANNEL.id]);
  expect(await saved.reply()).toMatchObject({ content: 'saved' });
});

test('the client submits only what the modal takes, and only for its user', async ({ client, discord }) => {
  const modal = modalOf(
    labelled('Text', text({ min_length: 2, max_length: 3 })),
    labelled('Choice', { type: StringSelect, custom_id: 'choice', options }),
    labelled('Role', { type: RoleSelect, custom_id: 'role', required: false }),
  );
  await opening(client, modal);
  const used = discord.people.slash(MEMBER.id, CHANNEL.id, 'edit');
  await used.modal();
  const submit = (values: Record<string, string | string[]>, user = MEMBER.id) =>
    (() => discord.people.submit(user, used.id, { text: 'ab', ...values })) as () => unknown;
  expect(submit({ text: 'a' })).toThrow('takes 2 to 3 characters, not 1');
  expect(submit({ text: '' })).toThrow('takes 2 to 3 characters, not 0');
  expect(submit({ choice: [] })).toThrow('takes 1 to 1 values, not 0');
  expect(submit({ choice: ['c'] })).toThrow('does not offer c');
  expect(submit({ role: ['1'] })).toThrow('does not offer 1');
  expect(submit({ other: 'x' })).toThrow('has no field other');
  expect(submit({}, OWNER.id)).toThrow('has no modal');
  expect(submit({ role: [] })).not.toThrow();
});

const many = (count: number) => Array.from({ length: count }, (_, at) => ({ label: `${at}`, value: `${at}` }));

test.each<[string, object, string]>([
  ['a title of 46 characters', { ...modalOf(labelled('x', text())), title: 'x'.repeat(46) }, '"title"'],
  [
    'six components',
    modalOf(...many(6).map(({ label }) => labelled(label, text({ custom_id: label })))),
    '"components"',
  ],
  ['a label of 46 characters', modalOf(labelled('x'.repeat(46), text())), '"label"'],
  [
    'a description of 101 characters',
    modalOf({ ...labelled('x', text()), description: 'x'.repeat(101) }),
    '"description"',
  ],
  ['a value that is too long', modalOf(labelled('x', text({ value: 'abc', max_length: 2 }))), '"value"'],
  ['a length of 4,001', modalOf(labelled('x', text({ max_length: 4_001 }))), '"max_length"'],
  ['26 options', modalOf(labelled('x', { type: StringSelect, custom_id: 'x', options: many(26) })), '"options"'],
  ['two fields of one id', modalOf(labelled('x', text()), labelled('y', text())), 'COMPONENT_CUSTOM_ID_DUPLICATED'],
  [
    'a menu that is disabled',
    modalOf(labelled('x', { type: RoleSelect, custom_id: 'x', disabled: true })),
    '"disabled"',
  ],
  [
    'a required menu of no values',
    modalOf(labelled('x', text()), labelled('y', { type: RoleSelect, custom_id: 'y', min_values: 0 })),
    '"min_values"',
  ],
  ['a row', modalOf({ type: 1, components: [text({ label: 'x' })] }), 'UNION_TYPE_CHOICES'],
])('%s is refused', async (_what, modal, expected) => {
  await using discord = await startBotSim();
  await using client = await readyClient(discord);
  const { refused } = await opening(client, modal as APIModalInteractionResponseCallbackData);
  discord.people.slash(MEMBER.id, CHANNEL.id, 'edit');
  expect(JSON.stringify(await refused)).toContain(expected);
});

test('a modal is no response to a modal', async ({ client, discord }) => {
  const modal = modalOf(labelled('x', text({ value: 'x' })));
  await client.application.commands.set([{ name: 'edit', description: 'Edits' }]);
  const refused = Promise.withResolvers<unknown>();
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isChatInputCommand()) void interaction.showModal(modal);
    if (!interaction.isModalSubmit()) return;
    const route = Routes.interactionCallback(interaction.id, interaction.token);
    client.rest.post(route, { body: { type: 9, data: modal }, auth: false }).catch(refused.resolve);
  });
  const used = discord.people.slash(MEMBER.id, CHANNEL.id, 'edit');
  await used.modal();
  discord.people.submit(MEMBER.id, used.id);
  expect(JSON.stringify(await refused.promise)).toContain('Value must be one of {4, 5, 6, 7}');
});
