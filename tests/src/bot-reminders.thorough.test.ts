import { createGuildSettingsClient } from '@guild-settings/client';
import type { DiscordSim, Message } from '@guild-settings/discord-sim';
import { APPLICATION, BOT, GUILDS, PEOPLE, startWorld, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { apiUrlOf, healthUrlOf, startService } from '@guild-settings/sandbox';
import { printedSeed, repetitions, temporaryFolder, waitUntil } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { botEnvironment } from './testing/test-bot.ts';

const ROUNDS = repetitions(2, 200);
const MAX_PER_ROUND = 15;
const [{ id: guild, channels }] = GUILDS;
const channel = channels.general;

/** Enough users that none has too many reminders. */
const CROWD = Array.from({ length: 40 }, (_, index) => String(600_000_000_000_000_001n + BigInt(index)));

/** Creates a bot's file with a guild that has reminders enabled, so that no api is needed. */
async function bootFile(discord: DiscordSim, folder: string): Promise<Record<string, string>> {
  await using api = startService('api', {
    PORT: '0',
    DATABASE_URL: `file:${folder}/api.db`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
  });
  const apiUrl = await apiUrlOf(api);
  const env = { ...botEnvironment({ apiUrl, discord, path: `${folder}/bot.db` }), LOG_LEVEL: 'info' };
  await using bot = startService('bot', env);
  await healthUrlOf(bot);
  const client = createGuildSettingsClient({ url: apiUrl, token: tokenOf('application') });
  await client.guilds.update.mutate({ guild, enabledFeatures: ['reminders'] });
  await waitUntil(
    () => rowsOf(`${folder}/bot.db`, `SELECT record FROM records WHERE record LIKE '%"reminders"%'`).length > 0,
    { message: 'the feature' },
  );
  return env;
}

function fileOf({ DATABASE_URL = '' }: Record<string, string>): string {
  return DATABASE_URL.slice('file:'.length);
}

function rowsOf<Row>(path: string, query: string): Row[] {
  const file = new Database(path, { readonly: true });
  try {
    return file.prepare(query).all() as Row[];
  } finally {
    file.close();
  }
}

test(`${ROUNDS} kills lose no reminder, send none early and none twice`, async () => {
  const seed = printedSeed('bot-reminders');
  const random = fc.sample(fc.noBias(fc.integer({ min: 0, max: 999_999 })), { seed, numRuns: 20_000 });
  const chance = () => (random.pop() ?? 0) / 1_000_000;

  using folder = temporaryFolder();
  await using discord = await startWorld();
  const { world, people, messages } = discord;
  for (const [index, id] of CROWD.entries()) {
    world.addUser({ id, username: `person-${index}` });
    world.addMember(guild, id, { permissions: 0n });
  }
  const env = await bootFile(discord, folder.path);

  const acknowledged = new Set<string>();
  /** The earliest time at which each may be sent, in milliseconds since 1970. */
  const notBefore = new Map<string, number>();
  const delivered = new Map<string, Message[]>();
  const asked = new Map<string, string>();
  let asks = 0;
  messages.watch((message) => {
    if (message.authorId !== BOT.userId) return;
    const text = asked.get(message.replyTo ?? '');
    if (text !== undefined && message.content.startsWith('#')) acknowledged.add(text);
    const reminder = message.content.split('\n')[1];
    if (message.replyTo === null && reminder !== undefined) {
      delivered.set(reminder, [...(delivered.get(reminder) ?? []), message]);
    }
  });
  const addReminder = () => {
    asks += 1;
    const text = `tea ${asks}`;
    const seconds = Math.floor(chance() * 4);
    const said = people.sendMessage(
      CROWD[asks % CROWD.length] ?? '',
      channel,
      `!remind add in ${seconds + 1}s ${text}`,
    );
    notBefore.set(text, said.createdAt + (seconds + 1) * 1_000);
    asked.set(said.id, text);
  };

  for (let round = 0; round < ROUNDS; round++) {
    // Discord is sometimes slow, so that some kills happen between its receipt of a message and its response.
    discord.faults.set({ kind: 'latency', ms: Math.floor(chance() * 60) }, { path: `/channels/${channel}/messages` });
    await using bot = startService('bot', env);
    // Some bots are killed before they are connected; in `test`, neither of the two.
    if (round % 10 === 9) await new Promise((resolve) => setTimeout(resolve, chance() * 600));
    else {
      await healthUrlOf(bot);
      const before = acknowledged.size;
      const end = performance.now() + chance() * 500;
      // On a slow machine the bot is killed later, so that some reminders of each round are acknowledged.
      for (let added = 0; performance.now() < end || acknowledged.size === before; added += 1) {
        if (added < MAX_PER_ROUND) addReminder();
        await new Promise((resolve) => setTimeout(resolve, chance() * 80));
      }
    }
    await bot.end('SIGKILL');
    for (const { text, due_at } of rowsOf<{ text: string; due_at: number }>(
      fileOf(env),
      'SELECT text, due_at FROM reminders',
    )) {
      notBefore.set(text, due_at);
    }
  }
  discord.faults.clear();
  await using _last = startService('bot', env);
  await waitUntil(() => [...acknowledged].every((text) => delivered.has(text)), {
    message: 'every acknowledged reminder to be delivered',
  });
  await waitUntil(() => rowsOf(fileOf(env), 'SELECT id FROM reminders').length === 0, {
    message: 'nothing to be left',
  });

  const early = [...delivered].filter(([text, [first]]) => (first?.createdAt ?? 0) < (notBefore.get(text) ?? 0));
  const twice = [...delivered].filter(([, sent]) => sent.length > 1);
  const nonces = [...delivered.values()].flat().map(({ nonce }) => nonce ?? '');
  console.log(`${asks} asked, ${acknowledged.size} acknowledged, ${delivered.size} delivered`);
  expect(acknowledged.size).toBeGreaterThan(ROUNDS / 2);
  expect(early).toStrictEqual([]);
  expect(twice).toStrictEqual([]);
  expect(nonces.filter((nonce) => messages.deliveriesOf(nonce) !== 1)).toStrictEqual([]);
});

test('a bot that is killed before Discord’s response sends the reminder again, and the message is there once', async () => {
  using folder = temporaryFolder();
  await using discord = await startWorld();
  const env = await bootFile(discord, folder.path);
  const path = `/channels/${channel}/messages`;
  const posts = () => discord.calls.count({ path, method: 'POST' });
  await using first = startService('bot', env);
  await healthUrlOf(first);
  discord.people.sendMessage(PEOPLE.member.id, channel, '!remind add in 1s tea');
  await discord.messages.waitFor(({ content }) => content.startsWith('#'));
  const before = posts();
  discord.faults.set({ kind: 'close-mid-body' }, { path });
  const { nonce } = await discord.messages.waitFor(({ content }) => content.includes('tea') && content.includes('⏰'));
  await first.end('SIGKILL');
  discord.faults.clear();
  await using second = startService('bot', env);
  await healthUrlOf(second);
  await waitUntil(() => rowsOf(fileOf(env), 'SELECT id FROM reminders').length === 0, {
    message: 'the reminder to be over',
  });
  expect(posts()).toBeGreaterThan(before + 1);
  expect(discord.messages.deliveriesOf(nonce ?? '')).toBe(1);
});
