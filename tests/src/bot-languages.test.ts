import { isDeepStrictEqual } from 'node:util';
import type { Language } from '@guild-settings/bot';
import { createGuildSettingsClient, watch } from '@guild-settings/client';
import { LANGUAGES as ALL_LANGUAGES } from '@guild-settings/contract';
import { defineSettings } from '@guild-settings/contract/settings';
import type { Message } from '@guild-settings/discord-sim';
import { APPLICATION, BOT, GUILDS, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { startTcpProxy, temporaryFolder, waitUntil } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { PermissionFlagsBits } from 'discord.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Conversation, talkToBot } from './testing/conversation.ts';
import { isFilledIn, localeTexts } from './testing/locale-texts.ts';
import { startRestartableApi } from './testing/restartable-api.ts';
import { buttonsOf, publish } from './testing/settings-desk.ts';
import { startTestBot } from './testing/test-bot.ts';

const { manager, member, owner } = PEOPLE;
const { SendMessages, ManageGuild } = PermissionFlagsBits;
const HOUR = 3_600_000;

/** Russian has the most plural forms. That all languages have the same texts is checked by their types. */
const LANGUAGES = ALL_LANGUAGES.filter((language) => process.env.THOROUGH || language === 'ru');

const label = { 'en-US': 'Label' };
/** Settings of the kinds that no specified one has. */
const DECLARATION = defineSettings({
  groups: { own: { label } },
  settings: {
    role: { kind: 'role', label },
    level: { kind: 'choice', choices: { off: label, all: label }, default: 'off', label },
    rate: { kind: 'integer', min: 0, max: 9, default: 5, label },
    pause: { kind: 'duration', min: 0, max: 90, default: 60, label },
    names: { kind: 'text', max: 20, many: { max: 2 }, label },
    premium: { kind: 'switch', setBy: 'application', group: 'own', label },
  },
});

/** Adds a guild with a language and channels. */
function guildOf(language: Language) {
  const index = String(LANGUAGES.indexOf(language));
  const id = (last: number) => `2000000000000${index}0${String(last).padStart(3, '0')}`;
  return { id: id(1), general: id(2), second: id(3), closed: id(4), doomed: id(5), locked: id(6), language };
}

const folder = temporaryFolder();
const api = await startRestartableApi();
await api.stop();
await api.start(DECLARATION);
const proxy = await startTcpProxy(Number(new URL(api.url).port));
const { discord } = api;
const { world } = discord;
const clock = () => Date.now() + api.clock.aheadMs;
const said = new Map<Language, string[]>(LANGUAGES.map((language) => [language, []]));

for (const guild of LANGUAGES.map(guildOf)) {
  world.addGuild({ id: guild.id, name: guild.language, ownerId: owner.id });
  world.addMember(guild.id, manager.id, { permissions: SendMessages | ManageGuild });
  world.addMember(guild.id, member.id, { permissions: SendMessages });
  for (const name of ['general', 'second', 'closed', 'doomed', 'locked'] as const) {
    world.addChannel({ id: guild[name], guildId: guild.id, name });
  }
  world.addBotToGuild(guild.id);
}
const env = { DASHBOARD_URL: 'https://settings.example' };
const bot = await startTestBot({ apiUrl: proxy.url, discord, path: `${folder.path}/bot.db`, clock, env });
const settings = createGuildSettingsClient({ url: api.url, token: tokenOf('application') });
const asManager = createGuildSettingsClient({ url: api.url, token: tokenOf('manager') });

beforeAll(async () => {
  discord.messages.watch((message) => {
    if (message.authorId !== BOT.userId) return;
    const language = LANGUAGES.find((candidate) => guildOf(candidate).id === message.guildId);
    if (language) said.get(language)?.push(message.content, ...buttonsOf(message).keys());
  });
  for (const language of LANGUAGES) await settings.guilds.update.mutate({ guild: guildOf(language).id, language });
  await waitUntil(() => LANGUAGES.every((language) => bot.settingsOf(guildOf(language).id).language === language), {
    message: 'languages',
  });
});

afterAll(async () => {
  await bot.stop();
  await proxy[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Changes a guild over the api, and waits until the bot has received the change. */
async function change(
  guild: string,
  patch: Parameters<typeof settings.guilds.update.mutate>[0] extends infer P ? Omit<P, 'guild'> : never,
) {
  const record = await settings.guilds.update.mutate({ guild, ...patch });
  await waitUntil(() => isDeepStrictEqual(bot.settingsOf(guild), record), { message: 'the change' });
}

describe.each(LANGUAGES)('in %s', (language) => {
  const guild = guildOf(language);
  const boss: Conversation = talkToBot(discord, manager.id, guild.general, { locale: language });
  const person: Conversation = talkToBot(discord, member.id, guild.general, { locale: language });

  /** Returns the text of a key as a pattern of messages. */
  function expectSaid(answer: string, ...keys: string[]): void {
    const texts = localeTexts(language);
    for (const key of keys) {
      expect(
        texts.get(key)?.some((text) => isFilledIn(text, answer)),
        `${key} in ${JSON.stringify(answer)}`,
      ).toBe(true);
    }
  }

  test('help lists every command and explains each', async () => {
    expectSaid(await person.send('!help'), 'help.title', 'commands.remind.description', 'commands.about.description');
    expectSaid(
      await person.send('!help remind'),
      'help.usage',
      'help.beta',
      'commands.remind.subcommands.add.description',
    );
    expectSaid(await person.slash('help', { command: 'settings' }), 'commands.settings.subcommands.reset.description');
    expectSaid(await person.send('!help nothing'), 'help.unknown');
    expectSaid(await person.send('!help remnid'), 'help.unknown', 'errors.didYouMean');
    expectSaid(await boss.send('!settings enable remindres'), 'settings.noFeature', 'errors.didYouMean');
    expectSaid(await person.send(`<@${BOT.userId}>`), 'mentioned.withPrefix');
  });

  test('access', async () => {
    expectSaid(await boss.slash('settings access'), 'access.title', 'access.nobody', 'access.onPage');
    const entries = [
      { subject: `user:${member.id}`, level: 'editor' as const },
      { subject: `user:${owner.id}`, level: 'viewer' as const },
    ];
    await settings.guilds.setAccess.mutate({ guild: guild.id, entries });
    expectSaid(await boss.slash('settings access'), 'shared.value.editor', 'shared.value.viewer');
    await settings.guilds.setAccess.mutate({ guild: guild.id, entries: [] });
  });

  test('ping and about', async () => {
    expectSaid(await person.send('!ping'), 'ping.pong');
    expectSaid(await person.slash('about'), 'about.bot', 'about.servers', 'about.live');
  });

  test('history and undo', async () => {
    const { people, messages } = discord;
    const ask = (command: string, values = {}) =>
      people.slash(manager.id, guild.general, command, values, { locale: language }).reply();
    const button = (key: string) => localeTexts(language).get(key)?.[0] ?? key;
    const press = (message: Message, key: string, user: { readonly id: string } = manager) =>
      people.press(user.id, message.id, buttonsOf(message).get(button(key)) ?? key, { locale: language });
    const edited = ({ id, content }: Message) =>
      messages.waitFor((message) => message.id === id && message.content !== content);
    const historyOf = async (kind: 'settings' | 'platform' = 'settings') =>
      (await settings.guilds.history.query({ guild: guild.id, kind, limit: 1 })).entries;
    const newest = async (kind?: 'settings' | 'platform') => (await historyOf(kind))[0]?.revision ?? 0;

    expectSaid((await ask('settings history', { setting: 'prefix' })).content, 'history.none');
    const prefixes = Array.from({ length: 10 }, (_, n) => `${n}`);
    await Promise.all(prefixes.map((prefix) => settings.guilds.update.mutate({ guild: guild.id, prefix })));
    await settings.guilds.restore.mutate({ guild: guild.id, revision: (await newest()) - 1 });
    const page = await ask('settings history');
    expectSaid(page.content, 'history.title', 'shared.person.application', 'shared.sentence.restore');
    press(page, 'history.older');
    expectSaid([...buttonsOf(await edited(page)).keys()].join(), 'history.newest');

    const undone = await newest();
    const question = await ask('settings undo');
    expectSaid(question.content, 'undo.question', 'undo.until');
    expectSaid(await boss.send(`<@${BOT.userId}> settings undo`), 'undo.bySlash');
    const published = await publish(discord, question);
    expectSaid((await press(published, 'undo.confirm', member).reply()).content, 'buttons.notYours');
    await settings.guilds.update.mutate({ guild: guild.id, beta: true });
    press(question, 'undo.confirm');
    const again = await edited(question);
    expectSaid(again.content, 'shared.undo.meanwhile');
    press(again, 'undo.confirm');
    expectSaid((await edited(again)).content, 'shared.undo.done');
    expectSaid((await ask('settings undo', { change: undone })).content, 'shared.undo.same');
    expectSaid((await ask('settings history')).content, 'shared.sentence.undo', 'shared.undoneBy');
    await change(guild.id, { prefix: '!', beta: false });

    const [first, second] = [await ask('settings undo'), await ask('settings undo')];
    press(first, 'undo.cancel');
    expectSaid((await edited(first)).content, 'undo.cancelled');
    const form = people.slash(manager.id, guild.general, 'settings set', { setting: 'rate' }, { locale: language });
    await form.modal();
    const submit = () => people.submit(manager.id, form.id, { value: '1' }, { locale: language }).reply();
    world.setCommandPermissions(guild.id, {}, [{ id: manager.id, type: 2, permission: false }]);
    expectSaid((await submit()).content, 'guard.taken');
    world.setCommandPermissions(guild.id, {}, []);
    api.clock.aheadMs += HOUR;
    expectSaid((await submit()).content, 'buttons.formExpired');
    expectSaid((await press(second, 'undo.confirm').reply()).content, 'buttons.expired');
    expectSaid((await ask('settings undo', { change: await newest('platform') })).content, 'shared.undo.notUndoable');
    expectSaid((await ask('settings undo', { change: 999_999 })).content, 'undo.unknown');
    const older = await newest();
    await change(guild.id, { prefix: '#' });
    expectSaid((await ask('settings undo', { change: older })).content, 'shared.undo.later', 'undo.laterFirst');
    await change(guild.id, { prefix: '!' });

    await boss.slash('settings set', { setting: 'beta', value: 'on' });
    await asManager.users.forget.mutate();
    await waitUntil(async () => (await historyOf())[0]?.actor.id === null, { message: 'the erasure of the person' });
    expectSaid((await ask('settings history')).content, 'shared.person.erased');
    await change(guild.id, { beta: false });
  });

  test('commands, subcommands and values have names in the language', async () => {
    const texts = localeTexts(language);
    const word = (key: string) => texts.get(key)?.[0];
    const settingsName = word('commands.settings.name');
    const show = word('commands.settings.subcommands.show.name');
    expectSaid(await boss.send(`!${settingsName} ${show}`), 'settings.title', 'shared.value.none');
    const set = word('commands.settings.subcommands.set.name');
    expectSaid(
      await boss.send(`!${settingsName} ${set} ${word('words.beta')} ${word('shared.value.on')}`),
      'shared.changed',
      'shared.value.on',
      'shared.value.off',
    );
    expectSaid(
      await boss.send(`!${settingsName} ${set} ${word('words.beta')} ${word('shared.value.off')}`),
      'shared.changed',
    );
  });

  test('settings: errors', async () => {
    expectSaid(await person.send('!settings show'), 'guard.manager');
    expectSaid(await boss.send('!settings nonsense'), 'errors.unknownSubcommand');
    expectSaid(await boss.send('!settings set'), 'errors.missing');
    expectSaid(await boss.send('!settings set colour red'), 'settings.noSuch');
    expectSaid(await boss.send('!settings set prefix " x"'), 'shared.flaw.leadingSpace', 'settings.hint.prefix');
    expectSaid(await boss.send('!settings set prefix !\u200d'), 'shared.flaw.invisible', 'settings.hint.prefix');
    expectSaid(await boss.send('!settings set language Klingon'), 'settings.expected.language');
    expectSaid(await boss.send('!settings set beta maybe'), 'settings.expected.switch');
    expectSaid(await boss.send('!settings set channel here'), 'settings.expected.channel');
    expectSaid(await boss.send(`!settings set features ${'x'.repeat(65)}`), 'settings.expected.enabledFeatures');
    expectSaid(await boss.send('!settings set beta off'), 'settings.unchanged');
    expectSaid(await boss.send('!settings show now'), 'errors.tooMany');
    expectSaid(await boss.send(`!settings add features ${'x'.repeat(101)}`), 'errors.tooLong');
  });

  test('settings: other kinds, lists and forms', async () => {
    const { people } = discord;
    const unset = await boss.send('!settings set rate');
    expectSaid(unset, 'settings.noValue', 'settings.onPage');
    expectSaid(await boss.send('!settings set role nobody'), 'settings.expected.role');
    expectSaid(await boss.send('!settings set level some'), 'settings.expected.choice');
    expectSaid(await boss.send('!settings set rate some'), 'settings.expected.integer');
    expectSaid(await boss.send('!settings set pause some'), 'settings.expected.duration');
    expectSaid(await boss.send('!settings set names ,'), 'settings.expected.list');
    expectSaid(await boss.send('!settings set premium on'), 'settings.reserved');
    expectSaid(await boss.send('!settings add rate 1'), 'settings.notList');
    expectSaid(await boss.send('!settings remove names a'), 'settings.notInList');
    await change(guild.id, { custom: { names: ['ab', 'AB'] } });
    expectSaid(await boss.send('!settings remove names Ab'), 'settings.severalInList');
    await change(guild.id, { custom: { names: [] } });
    expectSaid(await boss.send('!settings show'), 'settings.pages.more');
    const first = await people.slash(manager.id, guild.general, 'settings show', {}, { locale: language }).reply();
    const [next = ''] = buttonsOf(first).keys();
    people.press(manager.id, first.id, buttonsOf(first).get(next) ?? next, { locale: language });
    const second = await discord.messages.waitFor(({ id, content }) => id === first.id && content !== first.content);
    expectSaid([next, ...buttonsOf(second).keys()].join(), 'settings.pages.next', 'settings.pages.previous');

    await change(guild.id, { custom: { rate: 7 } });
    const options = { setting: 'custom.rate', value: '' };
    const typed = people.type(manager.id, guild.general, 'settings set', options, 'value', { locale: language });
    const suggested = (await typed.suggestions()).map(({ name }) => name).join();
    expectSaid(suggested, 'settings.now', 'settings.byDefault');
    const modal = await people.slash(manager.id, guild.general, 'settings set', { setting: 'names' }).modal();
    expectSaid(JSON.stringify(modal), 'settings.form.title', 'settings.form.lines');
    said.get(language)?.push(suggested, JSON.stringify(modal));

    const enabledFeatures = Array.from({ length: 64 }, (_, index) => `${index}`.padEnd(64, '.'));
    await change(guild.id, { enabledFeatures });
    expectSaid(await boss.slash('settings set', { setting: 'features' }), 'settings.tooLongForForm');
    await change(guild.id, { enabledFeatures: [] });
  });

  test('settings: changes', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `f${index}`);
    expectSaid(await boss.send(`!settings set features ${names.join(' ')}`), 'shared.changed', 'shared.more');
    expectSaid(await boss.slash('settings set', { setting: 'prefix', value: '/' }), 'settings.prefixSlash');
    expectSaid(
      await boss.slash('settings set', { setting: 'prefix', value: 'none' }),
      'shared.changed',
      'settings.prefixOff',
    );
    await waitUntil(() => bot.settingsOf(guild.id).prefix === '', { message: 'no prefix' });
    expectSaid(await person.slash('help'), 'help.titleWithoutPrefix');
    expectSaid(await person.send(`<@${BOT.userId}> nonsense`), 'mentioned.withoutPrefix');
    const answer = await boss.send(`<@${BOT.userId}> settings reset all`);
    // The default language is English.
    if (language !== 'en-US') expect(answer).toContain('prefix');
    await waitUntil(() => bot.settingsOf(guild.id).prefix === '!', { message: 'the defaults' });
    await change(guild.id, { language });
  });

  test('announce', async () => {
    expectSaid(await boss.send('!announce hello'), 'announce.unset');
    await change(guild.id, { announcement_channel: 'gone' });
    expectSaid(await boss.send('!announce hello'), 'announce.unknown');
    await change(guild.id, { announcement_channel: GUILDS[0].channels.general });
    expectSaid(await boss.send('!announce hello'), 'announce.unknown');
    world.setChannelPermissions(guild.closed, { [APPLICATION.id]: { deny: SendMessages } });
    await change(guild.id, { announcement_channel: guild.closed });
    expectSaid(await boss.send('!announce hello'), 'channel.unwritable');
    expectSaid(await boss.send(`!settings set channel <#${guild.second}>`), 'shared.changed');
    await waitUntil(() => bot.settingsOf(guild.id).announcement_channel === guild.second, { message: 'the channel' });
    expectSaid(await boss.slash('announce', { text: 'hello' }), 'announce.posted');
    expect(discord.messages.in(guild.second).map(({ content }) => content)).toStrictEqual(['hello']);
    expectSaid(await boss.send('!announce'), 'announce.noText');
    const news = `${guild.id.slice(0, -1)}7`;
    world.addChannel({ id: news, guildId: guild.id, name: 'news', type: 'announcement' });
    await change(guild.id, { announcement_channel: news });
    const form = discord.people.slash(manager.id, guild.general, 'announce', {}, { locale: language });
    said.get(language)?.push((await form.modal()).title);
    const preview = await discord.people.submit(manager.id, form.id, { value: 'tea' }, { locale: language }).reply();
    expectSaid(preview.content, 'announce.preview');
    expectSaid([...buttonsOf(preview).keys()].join(), 'announce.post', 'announce.edit', 'announce.cancel');
    const cancel = [...buttonsOf(preview).values()].at(-1) ?? 'no button';
    discord.people.press(manager.id, preview.id, cancel, { locale: language });
    expectSaid(
      (await discord.messages.waitFor(({ id, editedAt }) => id === preview.id && editedAt !== null)).content,
      'announce.cancelled',
    );
    const posts = await Promise.all(
      ['one', 'two'].map((text) => {
        return discord.people.slash(manager.id, guild.general, 'announce', { text }, { locale: language }).reply();
      }),
    );
    const publishing = async (post: (typeof posts)[number] | undefined, key: string) => {
      if (post === undefined) throw new Error('Expected a post');
      expectSaid(post.content, 'announce.canPublish');
      const [button = ''] = buttonsOf(post).values();
      discord.people.press(manager.id, post.id, button, { locale: language });
      expectSaid(
        (await discord.messages.waitFor(({ id, editedAt }) => id === post.id && editedAt !== null)).content,
        key,
      );
    };
    await publishing(posts[0], 'announce.published');
    world.setChannelPermissions(news, { [BOT.userId]: { deny: SendMessages } });
    await publishing(posts[1], 'announce.notPublished');
    await change(guild.id, { announcement_channel: guild.second });
  });

  test('a channel that a setting names is lost', async () => {
    const id = `${guild.id.slice(0, -1)}9`;
    world.addChannel({ id, guildId: guild.id, name: 'news', type: 'announcement' });
    world.updateGuild(guild.id, { systemChannelId: guild.second });
    await change(guild.id, { announcement_channel: id });
    const saidNext = async () => {
      const before = said.get(language)?.length ?? 0;
      await waitUntil(() => (said.get(language)?.length ?? 0) > before, { message: 'a notice' });
      return said.get(language)?.[before] ?? '';
    };
    const lost = saidNext();
    world.setChannelPermissions(id, { [BOT.userId]: { deny: SendMessages } });
    expectSaid(await lost, 'channel.lost');
    world.removeChannel(id);
    // Discord would discard another notice about the same channel within minutes.
    const doomed = id.replace(/9$/, '8');
    world.addChannel({ id: doomed, guildId: guild.id, name: 'news', type: 'announcement' });
    await change(guild.id, { announcement_channel: doomed });
    const deleted = saidNext();
    world.removeChannel(doomed);
    expectSaid(await deleted, 'channel.deleted');
    await change(guild.id, { announcement_channel: '' });
  });

  test('reminders: refused, then allowed', async () => {
    expectSaid(await person.send('!remind list'), 'guard.feature');
    await change(guild.id, { enabledFeatures: ['reminders'] });
    expectSaid(await person.send('!remind every 1d tea'), 'guard.beta');
    await change(guild.id, { beta: true });
    expectSaid(await person.send('!remind list'), 'remind.none');
    expectSaid(await person.send('!remind add someday tea'), 'remind.unreadable');
    expectSaid(await person.send('!remind add 2001-01-01 tea'), 'remind.past');
    expectSaid(await person.send('!remind add 2100-01-01 tea'), 'remind.tooFar');
    expectSaid(await person.send('!remind add 10m tea --timezone=Mars/Olympus'), 'remind.badZone');
    expectSaid(await person.send('!remind every 1m tea'), 'remind.badInterval');
    world.setChannelPermissions(guild.locked, { [member.id]: { deny: SendMessages } });
    const muted = talkToBot(discord, member.id, guild.locked);
    expectSaid(await muted.slash('remind add', { when: '10m', text: 'tea' }), 'channel.notYours');
    world.setChannelPermissions(guild.locked, {});
    expectSaid(await person.send('!remind cancel one'), 'errors.notNumber');
    expectSaid(await person.send('!remind cancel 999'), 'remind.unknown');
    expectSaid(await person.send('!remind every 1d tea'), 'remind.addedEvery');
    const added = await person.send('!remind add in 10m tea');
    expectSaid(added, 'remind.added');
    const list = await person.slash('remind list');
    expectSaid(list, 'remind.title', 'remind.repeats');
    expectSaid(await person.slash('remind cancel', { number: Number(/#(\d+)/.exec(added)?.[1]) }), 'remind.cancelled');
    for (let held = 1; held < 15; held++) await person.send('!remind add 1d more');
    expectSaid(await person.send('!remind add 1d more'), 'remind.tooMany');
  });

  test('reminders: due, late, and undeliverable', async () => {
    expectSaid(await boss.send('!remind add 10m tea'), 'remind.added');
    for (const channel of [guild.doomed, guild.locked]) {
      expectSaid(await talkToBot(discord, manager.id, channel).send('!remind add 10m tea'), 'remind.added');
    }
    world.removeChannel(guild.doomed);
    world.setChannelPermissions(guild.locked, { [APPLICATION.id]: { deny: SendMessages } });
    // As after a day of failed attempts.
    const file = new Database(`${folder.path}/bot.db`);
    file.prepare('UPDATE reminders SET tries = 152 WHERE channel_id = ?').run(guild.locked);
    file.close();
    api.clock.aheadMs += 25 * HOUR;
    // Adding a reminder makes the bot check the clock.
    expectSaid(await boss.send('!remind add 1d tea'), 'remind.added');
    const due = await discord.messages.waitFor(({ guildId, content, mentions }) => {
      return guildId === guild.id && mentions.includes(manager.id) && content.includes('⏰');
    });
    expectSaid(due.content, 'remind.due', 'remind.late');
    await waitUntil(
      async () => {
        const texts = localeTexts(language);
        const list = await boss.slash('remind list');
        return ['remind.channelGone', 'remind.forbidden'].every((key) => isFilledIn(texts.get(key)?.[0] ?? '?', list));
      },
      { message: 'both failures to be listed' },
    );
  });

  test('the service refuses, its response is lost, or an error is thrown', async () => {
    await settings.presence.report.mutate({ type: 'left', guild: guild.id });
    expectSaid(await boss.send('!settings set beta off'), 'errors.refused', 'problem.botAbsent');
    await settings.presence.report.mutate({ type: 'present', guild: { id: guild.id, name: language, icon: null } });
    proxy.loseResponses({ text: 'guilds.update' });
    expectSaid(await boss.send('!settings set beta off'), 'errors.unconfirmed');
    discord.faults.set({ kind: 'status', status: 500 }, { path: '/channels/999999999999999999' });
    expectSaid(await boss.send('!settings set channel 999999999999999999'), 'errors.unexpected');
    discord.faults.clear();
  });
});

test('a change that a process of the bot does not have', async () => {
  const closing = new AbortController();
  const process = { id: 'silent-process', name: 'silent', shards: [{ id: 0, count: 1 }] };
  const events = watch({ url: api.url, token: tokenOf('application'), watcher: () => process, signal: closing.signal });
  while ((await events.next()).value?.event.type !== 'live');
  // Each waits for a second, all at once.
  const changes = LANGUAGES.map((language) =>
    talkToBot(discord, manager.id, guildOf(language).general).slash('settings set', { setting: 'beta', value: 'on' }),
  );
  await Promise.all(changes);
  closing.abort();
});

test('without the service, the bot states it and since when, in every language', async () => {
  await api.stop();
  await waitUntil(() => bot.status.state === 'STALE', { message: 'stale' });
  for (const language of LANGUAGES) {
    const boss = talkToBot(discord, manager.id, guildOf(language).general);
    await boss.send('!settings set beta on');
    await boss.send('!about');
    await boss.send('!settings show');
    await boss.send(`<@${BOT.userId}> settings undo`);
  }
  await bot.stop();
  const limits = { cooldown: { burst: 1, intervalMs: 60_000 } };
  const limited = await startTestBot({ apiUrl: proxy.url, discord, path: `${folder.path}/bot.db`, clock, limits });
  for (const language of LANGUAGES) {
    const person = talkToBot(discord, member.id, guildOf(language).general);
    await person.send('!ping');
    await person.send('!ping');
  }
  await limited.stop();
  // A new bot without a file does not know a guild's language. This one has slash commands only, and two shards.
  const shards = { SHARDS: '0,1', SHARD_COUNT: '2' };
  const slashOnly = { apiUrl: proxy.url, discord, clock, env: { PREFIX_COMMANDS: 'off', ...shards } };
  await using _fresh = await startTestBot({ ...slashOnly, path: `${folder.path}/fresh.db` });
  for (const language of LANGUAGES) {
    const person = talkToBot(discord, manager.id, guildOf(language).general);
    for (const command of ['about', 'help']) await person.slash(command, {}, { locale: language });
  }
});

test('every text that only the bot has, has appeared in Discord in every language', () => {
  const unread = LANGUAGES.flatMap((language) => {
    const commands = world.commandsOf(APPLICATION.id);
    const read = [...(said.get(language) ?? []), JSON.stringify(commands)];
    // The reasons of refusals are in apps/bot/src/commands/settings/failure-text.test.ts
    return [...localeTexts(language)]
      .filter(([key]) => !key.startsWith('shared.') && !key.startsWith('problem.'))
      .filter(([, forms]) => !forms.some((form) => read.some((message) => isFilledIn(form, message))))
      .map(([key]) => `${language} ${key}`);
  });
  expect(unread).toStrictEqual([]);
});
