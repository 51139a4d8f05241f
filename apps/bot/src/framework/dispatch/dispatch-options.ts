import type { GuildSettings } from '@guild-settings/contract';
import type { Action, Command } from '../command.ts';
import type { CommandPath } from '../command-texts.ts';
import type { Services } from '../services.ts';
import type { ChannelReplies } from './channel-replies.ts';
import type { Cooldown } from './cooldown.ts';
import type { Answer } from './run-action.ts';

/**
 * How a use of a command ended. `done`, `refused` and `failed` were delivered. `undelivered`: Discord did not take the
 * answer. `limited`: refused by the cooldown. `dropped`: not answered, for there were too many replies in the channel.
 */
export type CommandOutcome = Answer['outcome'] | 'undelivered' | 'limited' | 'dropped';

/** What both ways in need. */
export interface DispatchOptions {
  readonly commands: readonly Command[];
  readonly services: Services;
  /** A guild's settings, at once. */
  readonly settingsOf: (guildId: string) => Readonly<GuildSettings>;
  /** Whether the settings are those of the service, be they old; false until they have come for the first time. */
  readonly isSynced: () => boolean;
  readonly cooldown: Cooldown;
  readonly replies: ChannelReplies;
  /** Called once for each use of a command. */
  readonly onAnswered: (path: CommandPath, outcome: CommandOutcome, door: 'slash' | 'prefix') => void;
  /** Told of errors that are not the person's who used the command, with their reference where they have one. */
  readonly onError: (error: unknown, reference?: string) => void;
}

/** An action and the names that lead to it. */
export interface Found {
  readonly action: Action;
  readonly path: CommandPath;
}
