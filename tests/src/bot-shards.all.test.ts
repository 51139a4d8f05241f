import { createGuildSettingsClient } from '@guild-settings/client';
import { isOfShard } from '@guild-settings/contract';
import { BOT, PEOPLE, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { healthUrlOf, startService } from '@guild-settings/sandbox';
import { temporaryFolder, waitUntil } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { talkToBot } from './testing/conversation.ts';
import { startRestartableApi } from './testing/restartable-api.ts';
import { botEnvironment } from './testing/test-bot.ts';

const COUNT = 2;

function guildsIn(path: string): string[] {
  const file = new Database(path, { readonly: true });
  try {
    return file.prepare('SELECT guild_id FROM records ORDER BY guild_id').pluck().all() as string[];
  } finally {
    file.close();
  }
}

test('two shards in two processes hold and serve exactly their guilds', async () => {
  using folder = temporaryFolder();
  await using api = await startRestartableApi();
  const { discord } = api;
  const { world, messages } = discord;
  const ids = Array.from({ length: 20 }, (_, index) =>
    String(300_000_000_000_000_001n + (BigInt(index * 7919) << 22n)),
  );
  const channelOf = (id: string) => String(BigInt(id) + 1n);
  for (const id of ids) {
    world.addGuild({ id, name: id, ownerId: PEOPLE.owner.id });
    world.addChannel({ id: channelOf(id), guildId: id, name: 'general' });
    world.addBotToGuild(id);
  }
  const shards = [0, 1].map((id) => ({ id, path: `${folder.path}/shard-${id}.db` }));
  const [zero, one] = shards.map(({ id, path }) => {
    const env = botEnvironment({ apiUrl: api.url, discord, path });
    return startService('bot', { ...env, SHARDS: String(id), SHARD_COUNT: String(COUNT) });
  });
  if (!zero || !one) throw new Error('Expected two processes');
  await using _zero = zero;
  await using _one = one;
  await Promise.all([healthUrlOf(zero), healthUrlOf(one)]);
  const client = createGuildSettingsClient({ url: api.url, token: tokenOf('application') });
  for (const id of ids) await client.guilds.update.mutate({ guild: id, prefix: '?' });

  const inGuilds = [...ids, ...world.membershipsOf(BOT.userId).map(({ guild }) => guild.id)];
  const expected = ({ id }: { readonly id: number }) =>
    [...new Set(inGuilds)].filter((guild) => isOfShard(guild, { id, count: COUNT })).toSorted();
  for (const shard of shards) {
    expect(expected(shard).length).toBeGreaterThan(3);
    await waitUntil(() => guildsIn(shard.path).length >= expected(shard).length, { message: `shard ${shard.id}` });
  }
  for (const id of ids) {
    const asked = await talkToBot(discord, PEOPLE.owner.id, channelOf(id)).send('?about');
    expect(asked).toContain(`Shard ID: ${isOfShard(id, { id: 0, count: COUNT }) ? 0 : 1}, shards in total: ${COUNT}`);
  }
  // Each command has a single reply: a shard does not reply for the other.
  expect(messages.all().filter(({ authorId }) => authorId === BOT.userId)).toHaveLength(ids.length);
  expect(await Promise.all([zero.end('SIGTERM'), one.end('SIGTERM')])).toMatchObject([{ code: 0 }, { code: 0 }]);
  for (const shard of shards) expect(guildsIn(shard.path)).toStrictEqual(expected(shard));
});
