import { waitUntil } from '@guild-settings/testing';
import { GUILD, joinGuild, OTHER, present, reporting, THIRD } from '@guild-settings/testing/reporting-bot';
import { Client, Events, GatewayIntentBits } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { reportPresence } from './report-presence.ts';

describe('the bot reports', () => {
  test('all guilds of a shard when that is ready, each shard its own', async () => {
    await using bot = await reporting({
      shards: { shards: [0, 1], shardCount: 2 },
      prepare: (discord) => joinGuild(discord, OTHER, 'Cake'),
    });
    await bot.reported(2);
    const guildsOf = (id: number, guilds: readonly object[]) => ({ type: 'snapshot', shard: { id, count: 2 }, guilds });
    expect(bot.reports.toSorted((one) => ('shard' in one && one.shard.id === 0 ? -1 : 1))).toEqual([
      guildsOf(0, [{ id: OTHER, name: 'Cake', icon: null }]),
      guildsOf(1, [{ id: GUILD.id, name: GUILD.name, icon: GUILD.icon }]),
    ]);
  });

  test('joining, renaming, another icon and leaving, in this order', async () => {
    await using bot = await reporting();
    await bot.reported(1);
    const { world } = bot.discord;
    const steps = [
      () => joinGuild(bot.discord, OTHER, 'Cake'),
      () => world.updateGuild(OTHER, { name: 'Pie' }),
      () => world.updateGuild(OTHER, { icon: 'f00' }),
      () => world.removeBotFromGuild(OTHER),
      () => world.removeGuild(GUILD.id),
    ];
    for (const [index, step] of steps.entries()) {
      step();
      await bot.reported(index + 2);
    }
    expect(bot.reports.slice(1)).toEqual([
      present(OTHER, 'Cake'),
      present(OTHER, 'Pie'),
      present(OTHER, 'Pie', 'f00'),
      { type: 'left', guild: OTHER },
      { type: 'left', guild: GUILD.id },
    ]);
  });

  test('nothing of an outage and of a lost connection, and how the guild is when the outage is over', async () => {
    await using bot = await reporting();
    await bot.reported(1);
    const { world } = bot.discord;
    const resumed = new Promise((resolve) => bot.client.once(Events.ShardResume, resolve));
    bot.discord.gateway.dropAll();
    await resumed;
    world.setUnavailable(GUILD.id, true);
    joinGuild(bot.discord, OTHER, 'Cake');
    await bot.reported(2);
    world.setUnavailable(GUILD.id, false);
    await bot.reported(3);
    expect(bot.reports.slice(1)).toEqual([present(OTHER, 'Cake'), present(GUILD.id, GUILD.name, GUILD.icon)]);
  });

  test('a guild again that the service has erased, if the bot is in it', async () => {
    await using bot = await reporting();
    await bot.reported(1);
    bot.reporter.reportAgain(OTHER);
    bot.reporter.reportAgain(GUILD.id);
    await bot.reported(2);
    expect(bot.reports.slice(1)).toEqual([present(GUILD.id, GUILD.name, GUILD.icon)]);
  });

  test('a guild that is in an outage at the start as unavailable', async () => {
    await using bot = await reporting({
      prepare: ({ world }) => world.setUnavailable(GUILD.id, true),
      waitGuildTimeout: 50,
    });
    await bot.reported(1);
    expect(bot.reports).toMatchObject([{ type: 'snapshot', guilds: [{ id: GUILD.id, unavailable: true }] }]);
    bot.discord.world.setUnavailable(GUILD.id, false);
    await bot.reported(2);
    expect(bot.reports[1]).toEqual(present(GUILD.id, GUILD.name, GUILD.icon));
  });

  test('a guild that is joined while another shard is not ready yet', async () => {
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    await using bot = await reporting({ shards: { shards: [0, 1], shardCount: 2 }, gate });
    await bot.reported(1);
    joinGuild(bot.discord, OTHER, 'Cake');
    await bot.reported(2);
    open();
    await bot.reported(3);
    expect(bot.reports).toMatchObject([
      { type: 'snapshot', shard: { id: 0 }, guilds: [] },
      present(OTHER, 'Cake'),
      { type: 'snapshot', shard: { id: 1 }, guilds: [{ id: GUILD.id }] },
    ]);
  });

  test('a new list without the guild that was left while the gateway was gone, and the guild when it is joined again', async () => {
    await using bot = await reporting({ prepare: (discord) => joinGuild(discord, OTHER, 'Cake') });
    await bot.reported(1);
    bot.discord.gateway.invalidateAll(false);
    bot.discord.world.removeBotFromGuild(OTHER);
    await bot.reported(2);
    expect(bot.reports[1]).toMatchObject({ type: 'snapshot', guilds: [{ id: GUILD.id, name: GUILD.name }] });
    expect(bot.client.guilds.cache.has(OTHER)).toBe(false);
    bot.discord.world.addBotToGuild(OTHER);
    await bot.reported(3);
    expect(bot.reports[2]).toEqual(present(OTHER, 'Cake'));
  });
});

describe('while the service fails', () => {
  test('reports wait, and have the state of when they are sent', async () => {
    let status = 503;
    await using bot = await reporting({ respond: async () => status });
    await waitUntil(() => bot.errors.length === 1);
    const { world } = bot.discord;
    joinGuild(bot.discord, OTHER, 'Cake');
    joinGuild(bot.discord, THIRD, 'Short');
    world.updateGuild(OTHER, { name: 'Pie' });
    world.removeBotFromGuild(THIRD);
    await waitUntil(() => !bot.client.guilds.cache.has(THIRD) && bot.client.guilds.cache.get(OTHER)?.name === 'Pie');
    status = 200;
    await bot.reported(3);
    expect(bot.reports[0]).toMatchObject({ type: 'snapshot', guilds: [{ id: GUILD.id }, { id: OTHER, name: 'Pie' }] });
    expect(bot.reports.slice(1)).toEqual([present(OTHER, 'Pie'), { type: 'left', guild: THIRD }]);
  });

  test('a change while a report is in flight is reported after it', async () => {
    let respond: (status: number) => void = () => {};
    const response = new Promise<number>((resolve) => (respond = resolve));
    let received = 0;
    await using bot = await reporting({ respond: async () => (received++ === 0 ? response : 200) });
    await waitUntil(() => received === 1);
    bot.discord.world.removeBotFromGuild(GUILD.id);
    await waitUntil(() => bot.client.guilds.cache.size === 0);
    respond(200);
    await bot.reported(2);
    expect(bot.reports).toMatchObject([{ type: 'snapshot', guilds: [{ id: GUILD.id }] }, { type: 'left' }]);
  });

  test.each(['stop', 'signal'])(
    'nothing is reported any more after `%s`, not even what was on its way',
    async (way) => {
      const stopping = new AbortController();
      let received = 0;
      await using bot = await reporting({
        signal: stopping.signal,
        respond() {
          received += 1;
          return new Promise(() => {});
        },
      });
      await waitUntil(() => received === 1);
      if (way === 'signal') stopping.abort();
      else await bot.reporter.stop();
      joinGuild(bot.discord, OTHER, 'Cake');
      await waitUntil(() => bot.client.guilds.cache.has(OTHER) && bot.reporter.isIdle);
      expect([received, bot.reports, bot.errors]).toEqual([1, [], []]);
    },
  );
});

describe('nothing wrong lasts:', () => {
  test('after a failed report, all guilds are reported again', async () => {
    let isLost = true;
    await using there = await reporting({
      intervals: { afterFailureMs: 50, everyMs: 3_600_000 },
      async respond({ type }) {
        if (type !== 'left' || !isLost) return 200;
        isLost = false;
        return 504;
      },
    });
    await there.reported(1);
    there.discord.world.removeBotFromGuild(GUILD.id);
    await waitUntil(() => there.errors.length === 1);
    there.discord.world.addBotToGuild(GUILD.id);
    await waitUntil(() => there.reports.filter(({ type }) => type === 'snapshot').length === 2);
    expect(there.reports.findLast(({ type }) => type === 'snapshot')).toMatchObject({
      guilds: [{ id: GUILD.id, name: GUILD.name }],
    });
  });

  test('all guilds are reported every hour', async () => {
    await using there = await reporting({ intervals: { afterFailureMs: 60_000, everyMs: 50 } });
    await waitUntil(() => there.reports.filter(({ type }) => type === 'snapshot').length >= 3);
    expect(there.reports[2]).toEqual(there.reports[0]);
  });
});

describe('a client that cannot be reported is refused with what to do:', () => {
  const settings = { presence: {} } as Parameters<typeof reportPresence>[1];

  test('one without the intent Guilds', () => {
    const client = new Client({ intents: [GatewayIntentBits.GuildMessages] });
    expect(() => reportPresence(client, settings)).toThrow(
      'Expected a client with the intent Guilds: new Client({ intents: [GatewayIntentBits.Guilds] })',
    );
  });

  test('one that has logged in, whose list of guilds was missed', async () => {
    await using bot = await reporting();
    expect(() => reportPresence(bot.client, settings)).toThrow(
      'Expected a client that has not logged in: call reportPresence before client.login',
    );
  });
});
