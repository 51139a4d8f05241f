import { isDeepStrictEqual } from 'node:util';
import { GUILDS, type SandboxGuild } from '@guild-settings/discord-sim/testing/world';
import { erase, restore, transfer, undo } from './history-chapters.ts';
import type { DemoServices } from './services.ts';
import type { TranscriptLine } from './transcript.ts';
import { DemoUsers, UnexpectedResultError } from './users.ts';

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
  ['All settings are put back to how they were', restore],
  ['Settings leave as a document, and enter another guild', transfer],
  ['A guild is gone for good', erase],
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
  const expected = {
    id: testers.id,
    name: testers.name,
    icon: testers.icon,
    prefix: '!',
    announcement_channel: '',
    beta: false,
    language: 'en-US',
    enabledFeatures: [],
  };
  if (!isDeepStrictEqual(record, expected)) {
    throw new UnexpectedResultError(`Expected ${JSON.stringify(expected)}, received ${JSON.stringify(record)}`);
  }
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
  await users.sendCommand('manager', testers, '?announce Tea at five', 'No announcement channel is set');
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
