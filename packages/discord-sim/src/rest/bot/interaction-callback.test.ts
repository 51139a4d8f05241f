import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  Events,
  type InteractionCallbackResponse,
  type MessageComponentInteraction,
} from 'discord.js';
import { expect } from 'vitest';
import { asBot, CHANNEL, readyClient, startBotSim, test } from '../../testing/bot-sim.ts';
import { APPLICATION, MEMBER } from '../../testing/populated-sim.ts';

const ROW = new ActionRowBuilder<ButtonBuilder>().addComponents(
  new ButtonBuilder().setCustomId('go').setLabel('Go').setStyle(ButtonStyle.Primary),
);

test.each<[string, (interaction: MessageComponentInteraction) => Promise<InteractionCallbackResponse>, string | null]>([
  ['a reply', (interaction) => interaction.reply({ content: 'done', withResponse: true }), 'done'],
  ['an update', (interaction) => interaction.update({ content: 'changed', withResponse: true }), 'changed'],
  ['a deferred reply', (interaction) => interaction.deferReply({ withResponse: true }), null],
  ['a deferred update', (interaction) => interaction.deferUpdate({ withResponse: true }), null],
])('%s comes with its message only if there is one already', async (_name, respond, content) => {
  await using discord = await startBotSim();
  await using client = await readyClient(discord);
  const responses: (string | null)[] = [];
  client.on(Events.InteractionCreate, async (interaction) => {
    if (!interaction.isButton()) return;
    const { resource } = await respond(interaction);
    responses.push(resource?.message?.content ?? null);
  });
  const channel = await client.channels.fetch(CHANNEL.id);
  if (!channel?.isSendable()) throw new Error('Not sendable');
  const { id } = await channel.send({ components: [ROW] });
  discord.people.press(MEMBER.id, id, 'go');
  await expect.poll(() => responses).toStrictEqual([content]);
});

test('names the errors of a response below its data', async ({ discord }) => {
  await asBot(discord, 'PUT', `/applications/${APPLICATION.id}/commands`, [{ name: 'tea', description: 'Tea' }]);
  await using client = await readyClient(discord);
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
