import { PEOPLE } from '@guild-settings/discord-sim/testing/world';
import { afterAll, expect, test } from 'vitest';
import { buttonsOf, publish, startSettingsDesk } from './testing/settings-desk.ts';

const { manager, member, owner } = PEOPLE;
const MINUTE = 60_000;

const desk = await startSettingsDesk(18);
afterAll(() => desk[Symbol.asyncDispose]());

test('the history shows who changed what, when and why, to the manager alone, and notifies nobody', async () => {
  const guild = desk.nextGuild();
  const first = await desk.change(guild, { prefix: '@everyone', language: 'ja' }, owner);
  await desk.change(guild, { language: 'en-US' });
  const third = await desk.change(guild, { enabledFeatures: ['b', 'a'], announcement_channel: guild.channel });
  const fourth = await desk.change(guild, { enabledFeatures: ['a', 'c'] });
  const reply = await desk.slash(guild, 'settings history');
  const lines = reply.content.replaceAll(/<t:\d+:R>/g, 'TIME').split('\n');
  expect(lines.slice(0, 5)).toEqual([
    '**Changes to the settings of this server**',
    `**#${fourth}** · TIME · <@${manager.id}> enabled \`c\` and disabled \`b\``,
    `**#${third}** · TIME · <@${manager.id}> changed the channel for announcements and the features`,
    `- **channel**: none → <#${guild.channel}>`,
    '- **features**: + `b` and `a`',
  ]);
  expect(lines.slice(-3)).toEqual([
    `**#${first}** · TIME · <@${owner.id}> changed the prefix and the language`,
    '- **prefix**: `!` → `@everyone`',
    '- **language**: `English` → `Japanese`',
  ]);
  expect(reply).toMatchObject({ ephemeral: true, mentions: [] });
});

test('the history of one setting has only its changes, and links a change with its undo', async () => {
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
    expect.stringMatching(new RegExp(`^\\*\\*#${undo?.revision}\\*\\* .* undid change #${change}$`)),
    expect.stringMatching(new RegExp(`^\\*\\*#${change}\\*\\* .* · Undone by change #${undo?.revision}$`)),
  ]);
});

test('the history is read in parts by buttons, which changes made meanwhile do not move', async () => {
  const guild = desk.nextGuild();
  const made: number[] = [];
  for (let n = 1; n <= 21; n += 1) made.unshift(await desk.change(guild, { prefix: `${n}` }));
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

test('changes that are too long for one reply are in the next ones, each once', async () => {
  const guild = desk.nextGuild();
  const made: number[] = [];
  const names = Array.from({ length: 12 }, (_, index) => `${index}`.padEnd(50, 'x'));
  for (let n = 1; n <= 10; n += 1) made.unshift(await desk.change(guild, { enabledFeatures: n % 2 ? names : [] }));
  const parts: number[][] = [];
  let part = await desk.slash(guild, 'settings history');
  for (;;) {
    parts.push([...part.content.matchAll(/^\*\*#(\d+)\*\*/gm)].map(([, revision]) => Number(revision)));
    if (!buttonsOf(part).has('Older')) break;
    desk.press(part, 'Older');
    part = await desk.edited(part);
  }
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.flat()).toEqual(made);
});

test('an undo shows the difference, changes nothing until the button is pressed, and is recorded as the manager’s', async () => {
  const guild = desk.nextGuild();
  await desk.change(guild, { prefix: '?' });
  const revision = await desk.change(guild, { beta: true, enabledFeatures: ['a', 'b'] }, owner);
  const question = await desk.slash(guild, 'settings undo');
  const [title = '', ...lines] = question.content.split('\n');
  expect(title).toMatch(
    new RegExp(
      `^\\*\\*Undo this change\\?\\*\\* \\*\\*#${revision}\\*\\* · <t:\\d+:R> · <@${owner.id}> changed beta features and the features$`,
    ),
  );
  expect(lines).toEqual([
    '- **beta**: on → off',
    '- **features**: − `a` and `b`',
    expect.stringMatching(/^The buttons work until <t:\d+:t>\.$/),
  ]);
  expect(question).toMatchObject({ mentions: [], ephemeral: true });
  expect(await desk.recordOf(guild)).toMatchObject({ beta: true });

  desk.press(question, 'Undo');
  const done = await desk.edited(question);
  expect(done.content.split('\n')).toEqual([`**Change #${revision} was undone.**`, ...lines.slice(0, 2)]);
  expect(buttonsOf(done).size).toBe(0);
  expect(await desk.recordOf(guild)).toMatchObject({ prefix: '?', beta: false, enabledFeatures: [] });
  const [newest] = await desk.historyOf(guild);
  expect(newest).toMatchObject({
    origin: 'undo',
    undoes: revision,
    actor: { kind: 'user', id: manager.id },
    reason: null,
  });
});

test('only the person who asked sees the buttons, and in a public message others are told so privately', async () => {
  const guild = desk.nextGuild();
  await desk.change(guild, { prefix: '?' });
  const question = await desk.slash(guild, 'settings undo');
  const published = await publish(desk.discord, question);
  for (const other of [member, owner]) {
    for (const label of ['Undo', 'Cancel']) {
      expect(() => desk.press(question, label, other)).toThrow('no button');
      expect(await desk.press(published, label, other).reply()).toMatchObject({
        content: 'These buttons are for someone else. To get your own, use `/settings undo`.',
        ephemeral: true,
      });
    }
  }
  desk.press(question, 'Cancel');
  expect(await desk.edited(question)).toMatchObject({ content: 'Nothing was undone.', components: [] });
  expect(await desk.recordOf(guild)).toMatchObject({ prefix: '?' });
});

test('a change between the question and the button leads to a new question, and then to what that one showed', async () => {
  const guild = desk.nextGuild();
  const revision = await desk.change(guild, { prefix: '?', beta: true });
  const question = await desk.slash(guild, 'settings undo', { change: revision });
  await desk.change(guild, { beta: false }, owner);
  desk.press(question, 'Undo');
  const again = await desk.edited(question);
  expect(again.content).toMatch(
    /^The settings have changed in the meantime\..*\n.*\n- \*\*prefix\*\*: `\?` → `!`\nThe buttons/,
  );
  expect(await desk.recordOf(guild)).toMatchObject({ prefix: '?', beta: false });
  desk.press(again, 'Undo');
  expect((await desk.edited(again)).content).toContain('was undone');
  expect(await desk.recordOf(guild)).toMatchObject({ prefix: '!', beta: false });
});

test('pressing twice, or another button while the first is handled, is pressing once', async () => {
  const guild = desk.nextGuild();
  const revision = await desk.change(guild, { prefix: '?' });
  const question = await desk.slash(guild, 'settings undo');
  const presses = ['Undo', 'Undo', 'Cancel', 'Undo'].map((label) => desk.press(question, label));
  const done = await desk.edited(question);
  expect(done.content).toContain(`Change #${revision} was undone`);
  // The simulator keeps edited messages in order: the reply to a command after the presses is the last.
  await desk.slash(guild, 'ping');
  expect(desk.discord.messages.all().find(({ id }) => id === done.id)).toEqual(done);
  expect(presses.flatMap((press) => press.messages())).toEqual([]);
  expect((await desk.historyOf(guild, 'settings')).map(({ origin }) => origin)).toEqual(['undo', 'bot']);
});

test('a later change is named with its author, time and value, and is not overwritten', async () => {
  const guild = desk.nextGuild();
  const revision = await desk.change(guild, { prefix: '?' });
  const later = await desk.change(guild, { prefix: '#' }, owner);
  const refusal = await desk.slash(guild, 'settings undo', { change: revision });
  expect(refusal.content.split('\n')).toEqual([
    `Change #${revision} cannot be undone, because later changes affect the same settings:`,
    expect.stringMatching(
      new RegExp(`^- \\*\\*prefix\\*\\*: \`#\` \\(\\*\\*#${later}\\*\\* · <t:\\d+:R> · <@${owner.id}>\\)$`),
    ),
    `To go back further, undo the later change first: \`/settings undo ${later}\``,
  ]);
  expect(refusal).toMatchObject({ ephemeral: true, mentions: [], components: [] });
  expect(await desk.recordOf(guild)).toMatchObject({ prefix: '#' });
});

test('an undo that was made already, of what Discord did, or of no change is answered so', async () => {
  const guild = desk.nextGuild();
  const [joined] = await desk.historyOf(guild, 'platform');
  expect((await desk.slash(guild, 'settings undo')).content).toBe('No changes to the settings are on record.');
  const byDiscord = await desk.slash(guild, 'settings undo', { change: joined?.revision ?? 0 });
  expect(byDiscord.content).toContain('was made by Discord.');
  expect((await desk.slash(guild, 'settings undo', { change: 999_999_999 })).content).toBe(
    'There is no change #999999999 of this server on record. `/settings history` lists the changes.',
  );
  const revision = await desk.change(guild, { prefix: '?' });
  await desk.change(guild, { prefix: '!' });
  const same = await desk.slash(guild, 'settings undo', { change: revision });
  expect(same.content).toBe(
    `The settings are already as they were before change #${revision}. There is nothing to undo.`,
  );
  expect(same.components).toEqual([]);
});

test('the buttons of a command expire after 15 minutes, those of a reply that replaced the first one as well', async () => {
  const guild = desk.nextGuild();
  const revision = await desk.change(guild, { prefix: '?' });
  const question = await desk.slash(guild, 'settings undo', { change: revision });
  desk.api.clock.aheadMs += 14 * MINUTE;
  await desk.change(guild, { beta: true });
  desk.press(question, 'Undo');
  const again = await desk.edited(question);
  expect(again.content).toContain('The settings have changed in the meantime.');
  desk.api.clock.aheadMs += 1 * MINUTE;
  expect(await desk.press(again, 'Undo').reply()).toMatchObject({
    content: 'These buttons have expired. Please use `/settings undo` again.',
    ephemeral: true,
  });
  expect(await desk.recordOf(guild)).toMatchObject({ prefix: '?' });
});

test('the buttons outlive the process of the bot', async () => {
  const guild = desk.nextGuild();
  await desk.change(guild, { prefix: '?' });
  const question = await desk.slash(guild, 'settings undo');
  await desk.restartBot();
  desk.press(question, 'Undo');
  expect((await desk.edited(question)).content).toContain('was undone');
});

test('the reply to a message is public and has no buttons, but names the slash command', async () => {
  const guild = desk.nextGuild();
  for (let n = 1; n <= 11; n += 1) await desk.change(guild, { prefix: `${n}` });
  const revision = await desk.change(guild, { prefix: '$' });
  const { people, messages } = desk.discord;
  for (const [command, text] of [
    ['history', `**#${revision}**`],
    ['undo', `- **prefix**: \`$\` → \`11\`\nTo undo it, use the slash command: \`/settings undo ${revision}\``],
  ]) {
    const said = people.sendMessage(manager.id, guild.channel, `$settings ${command}`);
    const reply = await messages.waitFor(({ replyTo }) => replyTo === said.id);
    expect(reply).toMatchObject({ content: expect.stringContaining(text ?? ''), components: [], ephemeral: false });
  }
});

test('a prefix that an undo switches off is pointed out', async () => {
  const guild = desk.nextGuild();
  await desk.change(guild, { prefix: '' });
  await desk.change(guild, { prefix: '$' });
  const question = await desk.slash(guild, 'settings undo');
  desk.press(question, 'Undo');
  expect((await desk.edited(question)).content).toContain('Prefix commands are off now.');
});

test('while the service is away nothing is undone, and nothing is undone when it is back', async () => {
  const guild = desk.nextGuild();
  await desk.change(guild, { prefix: '?' });
  const question = await desk.slash(guild, 'settings undo');
  const revisions = await desk.historyOf(guild);
  await desk.api.stop();
  desk.press(question, 'Undo');
  const unreachable = 'The settings service cannot be reached. Nothing was undone. Please try again later.';
  expect((await desk.edited(question)).content).toContain(unreachable);
  expect((await desk.slash(guild, 'settings undo')).content).toContain(unreachable);
  expect((await desk.slash(guild, 'settings history')).content).toContain('The settings service cannot be reached.');
  await desk.api.start();
  const after = await desk.slash(guild, 'settings undo');
  expect(after.content).toContain('- **prefix**: `?` → `!`');
  expect(await desk.historyOf(guild)).toEqual(revisions);
});

test('an undo whose response was lost is reported as unconfirmed, and as made when it is asked for again', async () => {
  const guild = desk.nextGuild();
  const revision = await desk.change(guild, { prefix: '?' });
  const question = await desk.slash(guild, 'settings undo');
  // The header of the precondition, which the dry run does not have.
  desk.proxy.loseResponses({ text: 'if-match' });
  desk.press(question, 'Undo');
  expect((await desk.edited(question)).content).toBe(
    'The settings service did not respond, so the change may or may not have been made. Check with `/settings history`.',
  );
  desk.proxy.restore();
  expect((await desk.slash(guild, 'settings undo', { change: revision })).content).toContain(
    'There is nothing to undo.',
  );
  expect(await desk.recordOf(guild)).toMatchObject({ prefix: '!' });
});
