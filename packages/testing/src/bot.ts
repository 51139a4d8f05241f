import { BOT_PERMISSION_BITS, DEFAULT_SETTINGS, type Language, type RecordSettings } from '@guild-settings/contract';
import type { Invocation, Vocabulary } from '@guild-settings/discord/framework';
import type { DiscordSim, DiscordSimOptions } from '@guild-settings/discord-sim';
import {
  APPLICATION,
  BOT,
  GUILDS,
  PEOPLE,
  type SandboxGuild,
  startWorld,
} from '@guild-settings/discord-sim/testing/world';
import { type Follow, Replica } from '@guild-settings/replica';
import { type Client, Events } from 'discord.js';
import { vi } from 'vitest';
import { type BotOptions, startBot } from '../../../apps/bot/src/bot.ts';
import { readBotConfig } from '../../../apps/bot/src/config.ts';
import type { Channels, Post } from '../../../apps/bot/src/discord/channels.ts';
import { gatewayClient } from '../../../apps/bot/src/discord/gateway-client.ts';
import { VOCABULARY } from '../../../apps/bot/src/i18n/bot-text.ts';
import { ReminderDelivery } from '../../../apps/bot/src/reminders/reminder-delivery.ts';
import { type NewReminder, type Reminder, remindersIn } from '../../../apps/bot/src/reminders/reminders.ts';
import { openBotDatabase } from '../../../apps/bot/src/storage/bot-database.ts';
import { temporaryFile, unreachableUrl } from './index.ts';

/** Limits that tests of other behaviour do not reach. */
const UNLIMITED = { cooldown: { burst: 10_000, intervalMs: 1 }, maxPendingReplies: 10_000 };

interface BotResourceOptions extends Pick<BotOptions, 'clock' | 'limits' | 'drainTimeoutMs' | 'onClient' | 'onEnded'> {
  /** Settings of the guild in the bot's file; none by default. */
  readonly settings?: Partial<RecordSettings>;
  readonly env?: NodeJS.ProcessEnv;
}

/** A bot on the simulator without a settings service, stopped at the end of its scope. */
export async function botResource(
  discord: DiscordSim,
  { settings, env, limits = UNLIMITED, onClient, ...options }: BotResourceOptions = {},
) {
  const file = temporaryFile();
  if (settings !== undefined) await remember(file.path, settings);
  const log: Record<string, unknown>[] = [];
  const config = readBotConfig({
    API_URL: await unreachableUrl(),
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: APPLICATION.id,
    DISCORD_CLIENT_SECRET: APPLICATION.clientSecret,
    DISCORD_BOT_TOKEN: TOKEN,
    DATABASE_URL: `file:${file.path}`,
    HEALTH_PORT: '0',
    LOG_LEVEL: 'trace',
    ...env,
  });
  const bot = await startBot(config, {
    logTo: { write: (line: string) => void log.push(JSON.parse(line)) },
    ...options,
    limits,
    onClient(client: Client) {
      unhurried(client);
      onClient?.(client);
    },
  }).catch(async (error: unknown) => {
    file[Symbol.dispose]();
    throw error;
  });
  return {
    ...bot,
    log,
    path: file.path,
    async [Symbol.asyncDispose]() {
      await bot.stop();
      file[Symbol.dispose]();
    },
  };
}

/** A bot connected to its own simulator. Both are stopped at the end of the scope. */
export async function connectedBot(options: BotResourceOptions = {}, simOptions: DiscordSimOptions = {}) {
  const discord = await discordResource(simOptions);
  const bot = await botResource(discord, options);
  await bot.connected;
  return {
    discord,
    bot,
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]();
      await discord.close();
    },
  };
}

/** Writes the settings of a guild to the bot's file, as if the bot had reached the service. */
async function remember(path: string, settings: Partial<RecordSettings>): Promise<void> {
  const epoch = 'before';
  const guild = { id: GUILD.id, name: GUILD.name, icon: GUILD.icon, ...DEFAULT_SETTINGS, ...settings };
  const follow: Follow = async function* () {
    yield { cursor: { epoch, revision: 0 }, event: { type: 'reset', epoch } };
    yield { cursor: { epoch, revision: 1 }, event: { type: 'guild', revision: 1, guild } };
    yield { cursor: { epoch, revision: 1 }, event: { type: 'live', revision: 1 } };
  };
  const replica = new Replica({ path, follow });
  replica.start();
  await replica.waitUntilLive();
  await replica.close();
}

export { APPLICATION };
export const TOKEN = BOT.token;
export const BOT_ID = BOT.userId;
export const { owner: OWNER, member: MEMBER } = PEOPLE;
export const [, GUILD] = GUILDS as readonly [SandboxGuild, SandboxGuild];
export const CHANNEL = { id: GUILD.channels.general, guildId: GUILD.id, name: 'general' };

/** The permissions that the bot's invitation requests, and no others. */
const INVITATION = { permissions: BOT_PERMISSION_BITS };

/** A simulated Discord with the bot in a guild with an owner, a member and a channel. */
export async function discordResource(options: DiscordSimOptions = {}): Promise<DiscordSim> {
  const discord = await startWorld({ ...options, guilds: [GUILD], hasBot: false });
  const { world } = discord;
  world.addBot({ applicationId: APPLICATION.id, ...BOT });
  world.addChannel(CHANNEL);
  world.addBotToGuild(GUILD.id, INVITATION);
  return discord;
}

export function joinGuild({ world }: DiscordSim, id: string, name: string): void {
  world.addGuild({ id, name, ownerId: OWNER.id });
  world.addBotToGuild(id, INVITATION);
}

/** Removes discord.js's pauses between two identifications. */
function unhurried(client: Client): Client {
  const buildIdentifyThrottler = async () => ({ waitForIdentify: async () => undefined });
  client.options.ws = { ...client.options.ws, buildIdentifyThrottler };
  // Without listeners, errors caused by a test would end the process.
  client.on(Events.Error, () => {}).on(Events.ShardError, () => {});
  return client;
}

/** The bot's client, not logged in, destroyed at the end of its scope. It does not retry requests. */
export function clientResource(
  { apiUrl }: Pick<DiscordSim, 'apiUrl'>,
  shards: Parameters<typeof gatewayClient>[0]['shards'] = null,
) {
  const client = unhurried(gatewayClient({ apiUrl, shards }));
  client.rest.setToken(TOKEN);
  client.rest.options.retries = 0;
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.destroy() });
}

export { COMMANDS } from '../../../apps/bot/src/commands/command-list.ts';
export type { Services } from '../../../apps/bot/src/commands/services.ts';
export { VOCABULARY };

export const translatorOf: Vocabulary['translatorOf'] = (...of) => VOCABULARY.translatorOf(...of);

export function invocationIn(language: Language): Invocation {
  return {
    trigger: { kind: 'message' },
    id: '1400000000000000001',
    guildId: '1234567890123456789',
    channelId: '1300000000000000001',
    userId: '1200000000000000002',
    mayWrite: true,
    permissions: 0n,
    settings: { ...DEFAULT_SETTINGS, language },
    translator: VOCABULARY.translatorOf({ language }),
    hasCommand: () => true,
    prefix: '!',
  };
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const NOON = Date.parse('2026-06-01T12:00:00Z');

/** Stops timers and the clock in this scope; `vi` advances them. */
export function stillTime(): Disposable {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: NOON });
  return { [Symbol.dispose]: () => void vi.useRealTimers() };
}

/** A reminder that is due in a minute. */
export function reminderOf(changed: Partial<NewReminder> = {}): NewReminder {
  return {
    guildId: '1234567890123456789',
    channelId: '1300000000000000001',
    userId: '1200000000000000002',
    text: 'tea',
    dueAt: NOON + MINUTE,
    timeZone: 'UTC',
    language: 'en-US',
    every: null,
    createdAt: NOON,
    ...changed,
  };
}

interface DeskOptions {
  /** Receives the posts; accepts all by default. */
  readonly post?: Channels['post'];
  readonly clock?: () => number;
  readonly settings?: Partial<RecordSettings>;
  /** File of the bot; a new one by default. */
  readonly path?: string;
}

/** Reminders in their own file with their delivery, not started. */
export async function deliveryDesk(options: DeskOptions = {}) {
  const { clock = Date.now, post = async () => 'posted' } = options;
  const file = options.path === undefined ? temporaryFile() : undefined;
  const path = options.path ?? file?.path ?? '';
  const posts: (Post & { readonly channelId: string; readonly at: number })[] = [];
  const errors: unknown[] = [];
  const lateness: number[] = [];
  const settings = { ...DEFAULT_SETTINGS, enabledFeatures: ['reminders'], beta: true, ...options.settings };
  const database = openBotDatabase(path);
  const queue = remindersIn(database);
  const delivery = new ReminderDelivery({
    queue,
    channels: {
      post(channelId, what, signal) {
        posts.push({ ...what, channelId, at: clock() });
        return post(channelId, what, signal);
      },
    },
    settingsOf: () => settings,
    hasSettings: () => true,
    clock,
    onDelivered: (late) => lateness.push(late),
    onError: (error) => errors.push(error),
  });
  return {
    path,
    queue,
    delivery,
    posts,
    errors,
    lateness,
    settings,
    /** Adds a reminder below the limit. */
    add(changed: Partial<NewReminder> = {}): Reminder {
      const added = queue.add(reminderOf(changed));
      if (added === undefined) throw new Error('Expected fewer reminders');
      return added;
    },
    /** Texts of the posts, without the lines around them. */
    texts: () => posts.map(({ content }) => content.split('\n')[1]),
    async [Symbol.asyncDispose]() {
      await delivery.stop(AbortSignal.abort());
      database.$client.close();
      file?.[Symbol.dispose]();
    },
  };
}
