import { isDeepStrictEqual } from 'node:util';
import { GUILDS, PEOPLE, type SandboxGuild } from '@guild-settings/discord-sim/testing/world';
import type { DemoServices } from './services.ts';
import { DemoUsers, type RequestOptions, type TranscriptLine, UnexpectedResultError } from './users.ts';

const [testers, gamers, cafe] = GUILDS as readonly [SandboxGuild, SandboxGuild, SandboxGuild];

const CHAPTERS: readonly (readonly [
  title: string,
  run: (users: DemoUsers, services: DemoServices) => Promise<void>,
])[] = [
  ['A manager reads a guild', reading],
  ['A change over REST is used in the chat at once', prefix],
  ['Each guild has its language', languages],
  ['A member without Manage Guild changes nothing', guards],
  ['Reminders are off, then on; repeating ones are beta', features],
  ['An announcement', announcement],
  ['The bot is killed, and a reminder falls due meanwhile', reminder],
  ['The api is killed, and comes back', outage],
  ['A mistake is found in the history, and undone from the chat', undo],
  ['All settings are restored to an earlier state', restore],
  ['Settings are exported, and imported into another guild', transfer],
  ['A guild is erased', erase],
];

/**
 * Runs the scenario and writes a transcript.
 * @throws UnexpectedResultError at the first unexpected result
 */
export async function runScenario(services: DemoServices, write: (line: TranscriptLine) => void): Promise<void> {
  const users = new DemoUsers(services, write);
  for (const [title, chapter] of CHAPTERS) {
    write({ kind: 'chapter', title });
    await chapter(users, services);
  }
}

async function reading(users: DemoUsers): Promise<void> {
  const record = await users.request('manager', 'GET', testers, { status: 200 });
  const { id, name, icon } = testers;
  const defaults = { prefix: '!', announcement_channel: '', beta: false, language: 'en-US', enabledFeatures: [] };
  expectEqual(record, { ...(record as object), id, name, icon, ...defaults });
  await users.request('member', 'GET', testers, { status: 403 });
}

async function prefix(users: DemoUsers): Promise<void> {
  await users.sendCommand('member', testers, '!ping', 'Pong');
  await users.changeSettings(testers, { prefix: '?' }, { text: '?ping', shows: 'Pong' });
  await users.sendCommand('member', testers, '?help', 'Commands', '`?remind`');
}

async function languages(users: DemoUsers): Promise<void> {
  await users.changeSettings(gamers, { language: 'hi' }, { text: '!ping', shows: 'मिलीसेकंड' });
  await users.sendCommand('member', gamers, '!मदद', 'कमांड');
  await users.changeSettings(cafe, { language: 'ja' }, { text: '!ping', shows: 'ミリ秒' });
  await users.sendCommand('member', cafe, '!ヘルプ', 'コマンド');
  await users.sendCommand('member', testers, '?about', 'The settings are up to date');
}

async function guards(users: DemoUsers): Promise<void> {
  await users.sendCommand('member', testers, '?settings set prefix $', 'Manage Server');
  await users.request('member', 'PATCH', testers, { status: 403, body: { prefix: '$' } });
  await users.sendCommand('member', testers, '?ping', 'Pong');
}

async function features(users: DemoUsers): Promise<void> {
  await users.sendCommand('member', testers, '?remind list', '“Reminders” is off here');
  await users.changeSettings(
    testers,
    { enabledFeatures: ['reminders'] },
    { text: '?remind list', shows: 'no reminders' },
  );
  await users.sendCommand('member', testers, '?remind every 09:00 stretch', 'beta');
  await users.changeSettings(testers, { beta: true }, { text: '?settings show', shows: '**beta**: on' });
  await users.sendCommand('member', testers, '?remind every 09:00 stretch --timezone=Europe/Berlin', 'repeatedly');
}

async function announcement(users: DemoUsers): Promise<void> {
  const { announcements } = testers.channels;
  await users.sendCommand('manager', testers, '?announce Tea at five', 'No channel for announcements is set');
  const shows = `<#${announcements}>`;
  await users.changeSettings(testers, { announcement_channel: announcements }, { text: '?settings show', shows });
  await users.sendCommand('manager', testers, '?announce Tea at five', 'Posted in');
  await users.waitForMessage(announcements, 'Tea at five');
}

async function reminder(users: DemoUsers, services: DemoServices): Promise<void> {
  await users.sendCommand('member', testers, '?remind add in 3s the kettle', 'I will remind you');
  await services.kill('bot');
  users.logEvent('the bot is killed (SIGKILL), and started again when the reminder is due');
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await services.start('bot');
  const { nonce } = await users.waitForMessage(testers.channels.general, 'the kettle');
  const times = services.discord.messages.deliveriesOf(nonce ?? '');
  if (times !== 1) throw new UnexpectedResultError(`Expected the reminder once, received it ${times} times`);
}

async function outage(users: DemoUsers, services: DemoServices): Promise<void> {
  await services.kill('api');
  users.logEvent('the api is killed (SIGKILL)');
  await users.sendCommand('member', testers, '?ping', 'Pong');
  await users.sendCommand('manager', testers, '?settings set prefix $', 'cannot be reached');
  await users.sendCommand('member', cafe, '!about', '設定サービス');
  await services.start('api');
  users.logEvent('the api is started again');
  await users.changeSettings(testers, { prefix: '$' }, { text: '$ping', shows: 'Pong' });
  await users.sendCommand('member', testers, '$about', 'The settings are up to date');
}

async function undo(users: DemoUsers): Promise<void> {
  await users.changeSettings(testers, { prefix: '%' }, { text: '%ping', shows: 'Pong' });
  const { revision, actor, changes } = await newestEntry(users);
  const [author, difference] = [{ kind: 'user', id: PEOPLE.manager.id }, { prefix: { from: '$', to: '%' } }];
  expectEqual({ actor, changes }, { actor: author, changes: difference });
  await users.sendCommand('manager', testers, '%settings history', `**#${revision}**`, 'from `$` to `%`');
  const question = await users.sendCommand('manager', testers, '/settings undo', 'Undo this change?', '`%` → `$`');
  await users.pressButton('manager', question, 'Undo', `#${revision} was undone`);
  await users.waitForUse(testers, 'undo', { text: '$ping', shows: 'Pong' });
  expectEqual((await newestEntry(users)).undoes, revision);
}

async function restore(users: DemoUsers): Promise<void> {
  const { revision } = await newestEntry(users);
  const then = await users.request('manager', 'GET', testers, { status: 200 });
  const patch = { beta: false, enabledFeatures: [] };
  await users.changeSettings(testers, patch, { text: '$remind list', shows: '“Reminders” is off here' });
  const body = { revision };
  const preview = await users.request('manager', 'POST', testers, {
    status: 200,
    subpath: '/restore?dry_run=true',
    body,
  });
  const difference = { beta: { from: false, to: true }, enabledFeatures: { from: [], to: ['reminders'] } };
  expectEqual((preview as { changes: unknown }).changes, difference);
  await users.request('manager', 'POST', testers, { status: 200, subpath: '/restore', body });
  await users.waitForUse(testers, 'restore', { text: '$settings show', shows: '**beta**: on' });
  for (const subpath of ['', `?at=${revision}`]) {
    expectEqual(await users.request('manager', 'GET', testers, { status: 200, subpath }), then);
  }
}

async function transfer(users: DemoUsers): Promise<void> {
  const exported = await users.request('manager', 'GET', testers, { status: 200, subpath: '/export?history=true' });
  const unchanged = { status: 200, subpath: '/import', body: exported as object };
  expectEqual(await changesOf(users, testers, unchanged), {});
  await users.request('member', 'GET', testers, { status: 403, subpath: '/export' });
  const elsewhere = { ...unchanged, subpath: '/import?dry_run=true' };
  expectEqual(Object.keys(await changesOf(users, gamers, elsewhere)), [
    'prefix',
    'beta',
    'language',
    'enabledFeatures',
  ]);
  await users.request('manager', 'POST', gamers, unchanged);
  await users.waitForUse(gamers, 'import', { text: '$ping', shows: 'Pong' });
}

/** The owner erases a guild, which then has the defaults and no history. */
async function erase(users: DemoUsers): Promise<void> {
  const { revision } = await newestEntry(users);
  const ifMatch = `"${revision}"`;
  await users.request('manager', 'DELETE', testers, { status: 403, ifMatch });
  await users.request('owner', 'DELETE', testers, { status: 428 });
  await users.request('owner', 'DELETE', testers, { status: 204, ifMatch });
  await users.waitForUse(testers, 'erasure', { text: '!settings show', shows: '**beta**: off' });
  // The bot reports the guild again, which is a change of the platform.
  const changes = { status: 200, subpath: '/history?kind=settings' };
  expectEqual(await users.request('manager', 'GET', testers, changes), { entries: [] });
}

async function changesOf(users: DemoUsers, guild: SandboxGuild, document: RequestOptions): Promise<object> {
  const { changes } = (await users.request('manager', 'POST', guild, document)) as { changes: object };
  return changes;
}

interface Entry {
  readonly revision: number;
  readonly actor: unknown;
  readonly changes: unknown;
  readonly undoes?: number;
}

async function newestEntry(users: DemoUsers): Promise<Entry> {
  const newest = { status: 200, subpath: '/history?kind=settings&limit=1' };
  const { entries } = (await users.request('manager', 'GET', testers, newest)) as { entries: readonly Entry[] };
  if (entries[0] === undefined) throw new UnexpectedResultError('Expected an entry in the history, received none');
  return entries[0];
}

function expectEqual(received: unknown, expected: unknown): void {
  if (isDeepStrictEqual(received, expected)) return;
  throw new UnexpectedResultError(`Expected ${JSON.stringify(expected)}, received ${JSON.stringify(received)}`);
}
