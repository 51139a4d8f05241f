import { json } from 'node:stream/consumers';
import { createGuildSettingsClient } from '@guild-settings/client';
import type { PresenceReport } from '@guild-settings/contract';
import type { DiscordSim, DiscordSimOptions } from '@guild-settings/discord-sim';
import { BOT, GUILDS, PEOPLE, type SandboxGuild, startWorld } from '@guild-settings/discord-sim/testing/world';
import { serveHttp, waitUntil } from '@guild-settings/testing';
import { Client, type ClientOptions, Events, GatewayIntentBits } from 'discord.js';
import { describe, expect, test, vi } from 'vitest';
import { type ReportIntervals, type ReportPresenceOptions, reportPresence } from './report-presence.ts';

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
    // Passed as a function: `onRemoved: presence.reportAgain`.
    const { reportAgain } = bot.reporter;
    reportAgain(GUILD.id);
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

  test('a bot without onError has one warning, however often a report fails', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    let received = 0;
    await using bot = await reporting({ hasOnError: false, respond: async () => (++received <= 2 ? 400 : 200) });
    await bot.reported(1);
    const warnings = warn.mock.calls.map(([warning]) => String(warning));
    warn.mockRestore();
    expect(received).toBe(3);
    expect(warnings.filter((warning) => warning.includes('servers'))).toEqual([
      expect.stringMatching(/^The bot's servers could not be reported; it will be retried: .*400/),
    ]);
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

/** In shard 1 of two. */
export const [, GUILD] = GUILDS as readonly [SandboxGuild, SandboxGuild];
/** In shard 0 of two. */
const OTHER = '1234567890124931072';
const THIRD = '1234567890123456790';

const present = (id: string, name: string, icon: string | null = null): PresenceReport => ({
  type: 'present',
  guild: { id, name, icon },
});

function joinGuild({ world }: DiscordSim, id: string, name: string): void {
  world.addGuild({ id, name, ownerId: PEOPLE.owner.id });
  world.addBotToGuild(id);
}

interface Reporting extends DiscordSimOptions, Pick<ReportPresenceOptions, 'signal'> {
  readonly prepare?: (discord: DiscordSim) => void;
  readonly shards?: Pick<ClientOptions, 'shards' | 'shardCount'>;
  readonly waitGuildTimeout?: number;
  /** The condition that shard 1 awaits before it identifies. */
  readonly gate?: Promise<void>;
  readonly intervals?: ReportIntervals;
  /** True unless given. */
  readonly hasOnError?: boolean;
  /** Returns the response status for a report; 200 unless given. */
  readonly respond?: (report: PresenceReport) => Promise<number>;
}

/** A bot that logs in to a simulated Discord, and a service that records its reports. */
async function reporting(options: Reporting = {}) {
  const { prepare, shards, waitGuildTimeout = 3_000, gate, intervals, signal, ...others } = options;
  const { hasOnError = true, respond, ...simOptions } = others;
  const discord = await startWorld({ ...simOptions, guilds: [GUILD] });
  prepare?.(discord);
  const { service, reports } = await recordingService(respond);
  const waitForIdentify = async (shardId: number) => (shardId === 1 ? gate : undefined);
  const client = new Client({
    intents: [GatewayIntentBits.Guilds],
    rest: { api: discord.apiUrl.replace(/\/v10$/, '') },
    // discord.js pauses between two identifications.
    ws: { buildIdentifyThrottler: async () => ({ waitForIdentify }) },
    waitGuildTimeout,
    ...shards,
  });
  // Without listeners, errors caused by a test would end the process.
  client.on(Events.Error, () => {}).on(Events.ShardError, () => {});
  const errors: unknown[] = [];
  const settings = createGuildSettingsClient({ url: service.url, token: 'application-token' });
  const reporter = reportPresence(client, settings, {
    ...(intervals && { intervals }),
    ...(signal && { signal }),
    ...(hasOnError && { onError: (error: unknown) => errors.push(error) }),
  });
  const loggedIn = client.login(BOT.token);
  if (gate === undefined) await loggedIn;
  return {
    discord,
    client,
    reporter,
    reports,
    errors,
    /** Resolves after the given number of reports. */
    reported: (count: number) => waitUntil(() => reports.length >= count && reporter.isIdle),
    async [Symbol.asyncDispose]() {
      await reporter.stop();
      await client.destroy();
      await service[Symbol.asyncDispose]();
      await discord.close();
    },
  };
}

/** A service that accepts reports over tRPC. Accepted ones are in `reports`. */
async function recordingService(respond: Reporting['respond'] = async () => 200) {
  const reports: PresenceReport[] = [];
  const service = await serveHttp(async (request, response) => {
    const { 0: report } = (await json(request)) as { 0: PresenceReport };
    const status = await respond(report);
    if (status !== 200) {
      response.writeHead(status).end();
      return;
    }
    reports.push(report);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify([{ result: { data: { changed: 1, revision: reports.length } } }]));
  });
  return { service, reports };
}
