import type { Replica } from '@guild-settings/replica';
import type { Channels } from '../discord/channels.ts';
import type { Reminders } from '../reminders/reminders.ts';
import type { SettingsWriter } from '../settings/settings-writer.ts';

/** What is known of the connection to Discord. */
export interface Connection {
  /** How people mention the bot. */
  readonly mention: string;
  /** How many guilds this process is in. */
  readonly guilds: number;
  /** The shard that a guild belongs to, and how many there are. */
  shardOf(guildId: string): { readonly id: number; readonly count: number };
}

/** What commands act with. */
export interface Services {
  readonly connection: Connection;
  readonly replica: Pick<Replica, 'status' | 'metrics'>;
  readonly settings: SettingsWriter;
  readonly channels: Channels;
  readonly reminders: Reminders;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}
