import { json } from 'node:stream/consumers';
import { createGuildSettingsClient } from '@guild-settings/client';
import type { PresenceReport } from '@guild-settings/contract';
import type { DiscordSim, DiscordSimOptions } from '@guild-settings/discord-sim';
import { BOT, GUILDS, PEOPLE, type SandboxGuild, startWorld } from '@guild-settings/discord-sim/testing/world';
import { Client, type ClientOptions, Events, GatewayIntentBits } from 'discord.js';
import {
  type ReportIntervals,
  type ReportPresenceOptions,
  reportPresence,
} from '../../presence/src/report-presence.ts';
import { serveHttp, waitUntil } from './index.ts';

/** Of shard 1 of two. */
export const [, GUILD] = GUILDS as readonly [SandboxGuild, SandboxGuild];
/** Of shard 0 of two. */
export const OTHER = '1234567890124931072';
export const THIRD = '1234567890123456790';

export const present = (id: string, name: string, icon: string | null = null): PresenceReport => ({
  type: 'present',
  guild: { id, name, icon },
});

/** Adds a guild with the bot in it. */
export function joinGuild({ world }: DiscordSim, id: string, name: string): void {
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
  /** Returns the status of the response to a report; 200 unless given. */
  readonly respond?: (report: PresenceReport) => Promise<number>;
}

/** A bot that logs in to a simulated Discord, and a service that records its reports. */
export async function reporting(options: Reporting = {}) {
  const { prepare, shards, waitGuildTimeout = 3_000, gate, intervals, signal, respond, ...simOptions } = options;
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
  // Without listeners, errors that a test causes would end the process.
  client.on(Events.Error, () => {}).on(Events.ShardError, () => {});
  const errors: unknown[] = [];
  const settings = createGuildSettingsClient({ url: service.url, token: 'application-token' });
  const reporter = reportPresence(client, settings, {
    ...(intervals && { intervals }),
    ...(signal && { signal }),
    onError: (error) => errors.push(error),
  });
  const loggedIn = client.login(BOT.token);
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
      await service[Symbol.asyncDispose]();
      await discord.close();
    },
  };
}

/** A service that takes reports over tRPC. Those that it has accepted are in `reports`. */
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
