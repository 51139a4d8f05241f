import { Events, type InteractionCallbackResponse, type MessageComponentInteraction } from 'discord.js';
import { expect } from 'vitest';
import { asBot, CHANNEL, sendableChannel, test, withButtons } from '../../testing/bot-sim.ts';
import { APPLICATION, MEMBER } from '../../testing/populated-sim.ts';

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
