import type { RecordSettings } from '@guild-settings/contract';
import type { DeclaredSettings } from '@guild-settings/contract/settings';
import type { Command, Services } from '../command.ts';
import type { CommandPath } from '../command-texts.ts';
import type { ChannelReplies } from './channel-replies.ts';
import type { Cooldown } from './cooldown.ts';
import type { CommandReply } from './run-action.ts';

/**
 * The way in which a command was used: as a slash command, by a message with the prefix, by a button of its reply, or
 * by its form.
 */
export type Trigger = 'slash' | 'prefix' | 'button' | 'form';

/**
 * The outcome of a command. `done`, `refused`, `failed`: the reply was delivered. `undelivered`: Discord rejected the
 * reply. `limited`: refused by the cooldown. `dropped`: not run, because the channel has too many pending replies.
 */
export type CommandOutcome = CommandReply['outcome'] | 'undelivered' | 'limited' | 'dropped';

export interface DispatchOptions {
  readonly commands: readonly Command[];
  readonly services: Services;
  readonly settingsOf: (guildId: string) => Readonly<RecordSettings>;
  readonly declared: () => DeclaredSettings;
  /** Returns true if settings were received from the service at least once. */
  readonly isSynced: () => boolean;
  readonly cooldown: Cooldown;
  readonly replies: ChannelReplies;
  readonly onOutcome: (path: CommandPath, outcome: CommandOutcome, trigger: Trigger) => void;
  readonly onError: (error: unknown, reference?: string) => void;
}
