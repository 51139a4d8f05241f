import type { GuildSettings } from '@guild-settings/contract';
import type { Action, Command } from '../commands/command.ts';
import type { CommandPath } from '../commands/command-texts.ts';
import type { Services } from '../commands/services.ts';
import type { Answer } from './answer.ts';

/** What both ways in need. */
export interface DoorOptions {
  readonly commands: readonly Command[];
  readonly services: Services;
  /** A guild's settings, at once. */
  readonly settingsOf: (guildId: string) => Readonly<GuildSettings>;
  /** Whether the settings are those of the service, be they old; false until they have come for the first time. */
  readonly isSynced: () => boolean;
  /** Told how each use of a command ended. */
  readonly onAnswered: (path: CommandPath, outcome: Answer['outcome'], door: 'slash' | 'prefix') => void;
  /** Told of errors that are not the person's who used the command, with their reference where they have one. */
  readonly onError: (error: unknown, reference?: string) => void;
}

/** An action and the names that lead to it. */
export interface Found {
  readonly action: Action;
  readonly path: CommandPath;
}
