import { isDeepStrictEqual } from 'node:util';
import { GUILDS, type SandboxGuild } from '../world.ts';
import { Actors, StoryDiffersError } from './actors.ts';
import type { Stage } from './stage.ts';
import type { Line } from './transcript.ts';

const [testers, gamers, cafe] = GUILDS as readonly [SandboxGuild, SandboxGuild, SandboxGuild];

/** What happens, chapter by chapter. */
const CHAPTERS: readonly (readonly [title: string, tell: (actors: Actors, stage: Stage) => Promise<void>])[] = [
  ['A manager reads a guild', reading],
  ['A change over REST is used in the chat at once', prefix],
  ['Each guild has its language', languages],
  ['Who does not manage a guild changes nothing', guards],
  ['Reminders are off, then on; repeating ones are beta', features],
  ['An announcement', announcement],
  ['The bot is killed, and a reminder falls due meanwhile', reminder],
  ['The api is killed, and comes back', outage],
];

/**
 * Tells the whole story on a stage.
 * @throws StoryDiffersError at the first thing that comes out otherwise
 */
export async function tellStory(stage: Stage, tell: (line: Line) => void): Promise<void> {
  const actors = new Actors(stage, tell);
  for (const [title, chapter] of CHAPTERS) {
    tell({ kind: 'chapter', title });
    await chapter(actors, stage);
  }
}

async function reading(actors: Actors): Promise<void> {
  const record = await actors.request('manager', 'GET', testers, { status: 200 });
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
    throw new StoryDiffersError(`Expected ${JSON.stringify(expected)}; received ${JSON.stringify(record)}`);
  }
  await actors.request('member', 'GET', testers, { status: 403 });
}

async function prefix(actors: Actors): Promise<void> {
  await actors.ask('member', testers, '!ping', 'Pong');
  await actors.change(testers, { prefix: '?' }, { text: '?ping', shows: 'Pong' });
  await actors.ask('member', testers, '?help', 'Commands', '`?remind`');
}

async function languages(actors: Actors): Promise<void> {
  await actors.change(gamers, { language: 'hi' }, { text: '!ping', shows: 'मिलीसेकंड' });
  await actors.ask('member', gamers, '!मदद', 'कमांड');
  await actors.change(cafe, { language: 'ja' }, { text: '!ping', shows: 'ミリ秒' });
  await actors.ask('member', cafe, '!ヘルプ', 'コマンド');
  await actors.ask('member', testers, '?about', 'The settings are up to date');
}

async function guards(actors: Actors): Promise<void> {
  await actors.ask('member', testers, '?settings set prefix $', 'Manage Server');
  await actors.request('member', 'PATCH', testers, { status: 403, body: { prefix: '$' } });
  await actors.ask('member', testers, '?ping', 'Pong');
}

async function features(actors: Actors): Promise<void> {
  await actors.ask('member', testers, '?remind list', 'Reminders are off here');
  await actors.change(testers, { enabledFeatures: ['reminders'] }, { text: '?remind list', shows: 'no reminders' });
  await actors.ask('member', testers, '?remind every 09:00 stretch', 'beta');
  await actors.change(testers, { beta: true }, { text: '?settings show', shows: '**beta**: on' });
  await actors.ask('member', testers, '?remind every 09:00 stretch --timezone=Europe/Berlin', 'again and again');
}

async function announcement(actors: Actors): Promise<void> {
  const { announcements } = testers.channels;
  await actors.ask('manager', testers, '?announce Tea at five', 'No announcement channel is set');
  const shows = `<#${announcements}>`;
  await actors.change(testers, { announcement_channel: announcements }, { text: '?settings show', shows });
  await actors.ask('manager', testers, '?announce Tea at five', 'Posted in');
  await actors.hears(announcements, 'Tea at five');
}

async function reminder(actors: Actors, stage: Stage): Promise<void> {
  await actors.ask('member', testers, '?remind add in 3s the kettle', 'I will remind you');
  await stage.kill('bot');
  actors.event('the bot is killed (SIGKILL), and started again when the reminder is due');
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  await stage.start('bot');
  const { nonce } = await actors.hears(testers.channels.general, 'the kettle');
  const times = stage.discord.messages.deliveriesOf(nonce ?? '');
  if (times !== 1) throw new StoryDiffersError(`Expected the reminder once; it was sent ${times} times`);
}

async function outage(actors: Actors, stage: Stage): Promise<void> {
  await stage.kill('api');
  actors.event('the api is killed (SIGKILL)');
  await actors.ask('member', testers, '?ping', 'Pong');
  await actors.ask('manager', testers, '?settings set prefix $', 'cannot be reached');
  await actors.ask('member', cafe, '!about', '設定サービス');
  await stage.start('api');
  actors.event('the api is started again');
  await actors.change(testers, { prefix: '$' }, { text: '$ping', shows: 'Pong' });
  await actors.ask('member', testers, '$about', 'The settings are up to date');
}
