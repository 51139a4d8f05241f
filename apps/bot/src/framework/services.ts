import type { Replica } from '@guild-settings/replica';
import type { Channels } from '../discord/channels.ts';
import type { Connection } from '../discord/connection.ts';
import type { Reminders } from '../reminders/reminders.ts';
import type { SettingsHistory } from '../settings/settings-history.ts';
import type { SettingsWriter } from '../settings/settings-writer.ts';

/** Dependencies of the commands. */
export interface Services {
  readonly connection: Connection;
  readonly replica: Pick<Replica, 'status' | 'metrics'>;
  readonly settings: SettingsWriter;
  readonly history: SettingsHistory;
  readonly channels: Channels;
  readonly reminders: Pick<Reminders, 'add' | 'of' | 'cancel'>;
  /** Returns milliseconds since 1970. */
  readonly clock: () => number;
}
