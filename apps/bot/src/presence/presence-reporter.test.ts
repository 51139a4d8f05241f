import type { PresenceReport } from '@guild-settings/contract';
import type { DiscordSim, DiscordSimOptions } from '@guild-settings/discord-sim';
import { waitUntil } from '@guild-settings/testing';
import { Events } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { logIn } from '../discord/gateway-client.ts';
import { clientResource, discordResource, GUILD, joinGuild, TOKEN } from '../testing/discord-resource.ts';
import { PresenceReporter, type ReportIntervals } from './presence-reporter.ts';

/** Of shard 0 of two; GUILD is of shard 1. */
const OTHER = '1234567890124931072';
const THIRD = '1234567890123456790';

const present = (id: string, name: string, icon: string | null = null): PresenceReport => ({
  type: 'present',
  guild: { id, name, icon },
});

interface Reporting extends DiscordSimOptions {
  readonly prepare?: (discord: DiscordSim) => void;
  readonly shards?: Parameters<typeof clientResource>[1];
  /** What shard 1 waits for before it identifies. */
  readonly gate?: Promise<void>;
  readonly intervals?: ReportIntervals;
  /** Called before each report is taken. */
  readonly before?: (report: PresenceReport, signal: AbortSignal) => Promise<void>;
}

/** A logged-in client with a reporter whose reports are recorded. */
async function reporting({ prepare, shards = null, gate, before, intervals, ...options }: Reporting = {}) {
  const discord = await discordResource(options);
  prepare?.(discord);
  const client = clientResource(discord, shards);
  const reports: PresenceReport[] = [];
  const errors: unknown[] = [];
  const reporter = new PresenceReporter({
    client,
    ...(intervals && { intervals }),
    async report(report, signal) {
      await before?.(report, signal);
      reports.push(report);
    },
    onError: (error) => errors.push(error),
  });
  const waitForIdentify = async (shardId: number) => (shardId === 1 ? gate : undefined);
  client.options.ws = { ...client.options.ws, buildIdentifyThrottler: async () => ({ waitForIdentify }) };
  const loggedIn = logIn(client, TOKEN, { signal: new AbortController().signal, onRetry: () => {} });
  if (gate === undefined) await loggedIn;
  return {
    discord,
    client,
    reporter,
    reports,
    errors,
    /** Resolves when the bot has reported so often. */
    reported: (count: number) => waitUntil(() => reports.length >= count && reporter.isIdle),
    async [Symbol.asyncDispose]() {
      await reporter.stop();
      await client.destroy();
      await discord.close();
    },
  };
}

describe('the bot reports', () => {
  test('all guilds of a shard when that is ready, each shard its own', async () => {
    await using bot = await reporting({
      shards: { ids: [0, 1], count: 2 },
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
    await using bot = await reporting({ prepare: ({ world }) => world.setUnavailable(GUILD.id, true) });
    await bot.reported(1);
    expect(bot.reports).toMatchObject([{ type: 'snapshot', guilds: [{ id: GUILD.id, unavailable: true }] }]);
    bot.discord.world.setUnavailable(GUILD.id, false);
    await bot.reported(2);
    expect(bot.reports[1]).toEqual(present(GUILD.id, GUILD.name, GUILD.icon));
  });

  test('a guild that is joined while another shard is not ready yet', async () => {
    let open: () => void = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    await using bot = await reporting({ shards: { ids: [0, 1], count: 2 }, gate });
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
    let isDown = true;
    await using bot = await reporting({
      async before() {
        if (isDown) throw new Error('down');
      },
    });
    await waitUntil(() => bot.errors.length === 1);
    const { world } = bot.discord;
    joinGuild(bot.discord, OTHER, 'Cake');
    joinGuild(bot.discord, THIRD, 'Short');
    world.updateGuild(OTHER, { name: 'Pie' });
    world.removeBotFromGuild(THIRD);
    await waitUntil(() => !bot.client.guilds.cache.has(THIRD) && bot.client.guilds.cache.get(OTHER)?.name === 'Pie');
    isDown = false;
    await bot.reported(3);
    expect(bot.reports[0]).toMatchObject({ type: 'snapshot', guilds: [{ id: GUILD.id }, { id: OTHER, name: 'Pie' }] });
    expect(bot.reports.slice(1)).toEqual([present(OTHER, 'Pie'), { type: 'left', guild: THIRD }]);
  });

  test('a change while a report is in flight is reported after it', async () => {
    let respond: () => void = () => {};
    await using bot = await reporting({ before: () => new Promise((resolve) => (respond = resolve)) });
    await waitUntil(() => !bot.reporter.isIdle);
    await new Promise((resolve) => setImmediate(resolve));
    bot.discord.world.removeBotFromGuild(GUILD.id);
    await waitUntil(() => bot.client.guilds.cache.size === 0);
    respond();
    await waitUntil(() => bot.reports.length === 1);
    respond();
    await bot.reported(2);
    expect(bot.reports).toMatchObject([{ type: 'snapshot', guilds: [{ id: GUILD.id }] }, { type: 'left' }]);
  });

  test('nothing is reported any more once it was stopped, not even what was on its way', async () => {
    await using bot = await reporting({
      before: (_report, signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
    });
    await waitUntil(() => !bot.reporter.isIdle);
    await bot.reporter.stop();
    joinGuild(bot.discord, OTHER, 'Cake');
    await waitUntil(() => bot.client.guilds.cache.has(OTHER));
    await waitUntil(() => bot.reporter.isIdle);
    expect([bot.reports, bot.errors]).toEqual([[], []]);
  });
});

describe('nothing wrong lasts:', () => {
  test('after a failed report, all guilds are reported again', async () => {
    let isLost = true;
    await using there = await reporting({
      intervals: { afterFailureMs: 50, everyMs: 3_600_000 },
      async before({ type }) {
        if (type !== 'left' || !isLost) return;
        isLost = false;
        throw new Error('no reply came, and it may arrive late');
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
