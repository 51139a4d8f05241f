import { PEOPLE } from '@guild-settings/sandbox/world';
import { afterAll, expect, test } from 'vitest';
import { buttonsOf, startSettingsDesk } from './testing/settings-desk.ts';

const { manager, member, owner } = PEOPLE;

const desk = await startSettingsDesk(4);
afterAll(() => desk[Symbol.asyncDispose]());

test('shows who changed what, when and why, to the manager alone, and notifies nobody', async () => {
  const guild = desk.nextGuild();
  const first = await desk.change(guild, { prefix: '@everyone', language: 'ja' }, owner);
  await desk.change(guild, { language: 'en-US' });
  const third = await desk.change(guild, { enabledFeatures: ['b', 'a'], announcement_channel: guild.channel });
  const fourth = await desk.change(guild, { enabledFeatures: ['a', 'c'] });
  const reply = await desk.slash(guild, 'settings history');
  const lines = reply.content.replaceAll(/<t:\d+:R>/g, 'TIME').split('\n');
  expect(lines.slice(0, 5)).toEqual([
    '**Changes of the settings of this server**',
    `**#${fourth}** · TIME · <@${manager.id}>`,
    '- **features**: + `c` − `b`',
    `**#${third}** · TIME · <@${manager.id}>`,
    `- **channel**: none → <#${guild.channel}>`,
  ]);
  expect(lines.slice(-3)).toEqual([
    `**#${first}** · TIME · <@${owner.id}>`,
    '- **prefix**: `!` → `@everyone`',
    '- **language**: American English (en-US) → Japanese (ja)',
  ]);
  expect(reply).toMatchObject({ ephemeral: true, mentions: [] });
});

test('of one setting has only its changes, of a change that was undone the undo', async () => {
  const guild = desk.nextGuild();
  const change = await desk.change(guild, { prefix: '?' });
  await desk.change(guild, { beta: true });
  const question = await desk.slash(guild, 'settings undo', { change });
  desk.press(question, 'Undo');
  await desk.edited(question);
  const [undo] = await desk.historyOf(guild);
  const { content } = await desk.slash(guild, 'settings history', { setting: 'prefix' });
  expect(content).not.toContain('**beta**');
  expect(content.match(/\*\*#\d+\*\*.*/g)).toEqual([
    expect.stringMatching(new RegExp(`^\\*\\*#${undo?.revision}\\*\\* .* · undoes #${change} · \`settings undo\`$`)),
    expect.stringMatching(new RegExp(`^\\*\\*#${change}\\*\\* .* · undone by #${undo?.revision}$`)),
  ]);
});

test('is read in parts by buttons, which changes made meanwhile do not move', async () => {
  const guild = desk.nextGuild();
  const made: number[] = [];
  for (let n = 1; n <= 24; n += 1) made.unshift(await desk.change(guild, { prefix: `${n}` }));
  const shown = ({ content }: { readonly content: string }) =>
    [...content.matchAll(/^\*\*#(\d+)\*\*/gm)].map(([, revision]) => Number(revision));
  const first = await desk.slash(guild, 'settings history');
  expect([...buttonsOf(first).keys()]).toEqual(['Older']);
  await desk.change(guild, { prefix: 'later' });
  desk.press(first, 'Older');
  const second = await desk.edited(first);
  expect([...buttonsOf(second).keys()]).toEqual(['Newest', 'Older']);
  desk.press(second, 'Older');
  const third = await desk.edited(second);
  expect([...buttonsOf(third).keys()]).toEqual(['Newest']);
  expect([first, second, third].flatMap(shown)).toEqual(made);
  desk.press(third, 'Newest');
  expect(shown(await desk.edited(third))).toHaveLength(10);
});

test('is for managers: a member is refused, and cannot turn the pages of one', async () => {
  const guild = desk.nextGuild();
  for (let n = 1; n <= 11; n += 1) await desk.change(guild, { prefix: `${n}` });
  const { people, messages } = desk.discord;
  const refused = people.slash(member.id, guild.channel, 'settings history', {}, { openToAll: true });
  expect(await refused.reply()).toMatchObject({
    content: expect.stringContaining('Only members with the permission'),
    ephemeral: true,
  });
  const said = people.sendMessage(manager.id, guild.channel, `<@${desk.botId}> settings history`);
  const page = await messages.waitFor(({ replyTo }) => replyTo === said.id);
  expect((await desk.press(page, 'Older', member).reply()).content).toContain(`Only <@${manager.id}> can use`);
});
