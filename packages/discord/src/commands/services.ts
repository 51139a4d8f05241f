import { type Client, GatewayIntentBits } from 'discord.js';
import { type ChannelsOfGuilds, channelsOfGuilds } from '../discord/channels.ts';
import { type ActionUse, actionsWith, type CommandServices, type Typing as TypingWith } from '../framework/command.ts';
import type { OptionSet } from '../framework/options.ts';
import {
  type AccessReader,
  accessReader,
  type SettingsService,
  type SettingsWriter,
  settingsWriter,
} from '../settings/service.ts';
import { type SettingsHistory, settingsHistory } from '../settings/settings-history.ts';

/** The names of the bot in replies. */
export interface Connection {
  readonly mention: string;
  /**
   * False: the bot does not react to messages. Undefined: it reads them, but commands in them are not those of this
   * package.
   */
  readonly readsMessages: boolean | undefined;
}

/** The state of a replica, as in `Replica.status`: the types of this package do not depend on SQLite. */
export type ReplicaState = { readonly state: 'SYNCING' | 'LIVE' } | { readonly state: 'STALE'; readonly since: Date };

/** The services that the command for settings uses. */
export interface SettingsServices extends CommandServices {
  readonly connection: Connection;
  readonly replica: { readonly status: ReplicaState };
  readonly settings: SettingsWriter;
  readonly history: SettingsHistory;
  readonly access: AccessReader;
  readonly channels: ChannelsOfGuilds;
  /** Returns the URL of a guild's settings page; undefined: unknown to the bot. */
  readonly pageOf: (guildId: string) => string | undefined;
}

export interface SettingsServicesOptions {
  readonly service: SettingsService;
  readonly replica: SettingsServices['replica'];
  readonly dashboardUrl?: string | undefined;
  /** False: another part of the bot may answer commands in messages. True unless given. */
  readonly answersMessages?: boolean;
  readonly clock?: () => number;
}

export function settingsServices(
  client: Client,
  { service, replica, dashboardUrl, answersMessages = true, clock = Date.now }: SettingsServicesOptions,
): SettingsServices {
  const readsMessages = client.options.intents.has(GatewayIntentBits.MessageContent);
  return {
    connection: {
      get mention() {
        return `<@${client.user?.id}>`;
      },
      readsMessages: readsMessages && !answersMessages ? undefined : readsMessages,
    },
    replica,
    settings: settingsWriter(service),
    history: settingsHistory(service),
    access: accessReader(service),
    channels: channelsOfGuilds(client),
    pageOf: (guildId) => dashboardUrl && `${dashboardUrl.replace(/\/+$/, '')}/guilds/${guildId}`,
    clock,
  };
}

export type Use<Options extends OptionSet, Pass> = ActionUse<Options, Pass, SettingsServices>;

export type Typing = TypingWith<SettingsServices>;

export const action = actionsWith<SettingsServices>();
