import type { Action, Command } from '../framework/command.ts';
import { access } from './access.ts';
import { add, disable, enable, remove } from './change-list.ts';
import { history } from './history.ts';
import { reset } from './reset.ts';
import type { SettingsServices } from './services.ts';
import { set } from './set.ts';
import { show } from './show.ts';
import { undo } from './undo.ts';

const SUBCOMMANDS = { show, set, add, remove, enable, disable, reset, history, undo, access };

/** A subcommand of the command for settings. */
export type SettingsSubcommand = keyof typeof SUBCOMMANDS;

interface SettingsCommandForm {
  /** The name with which Discord knows the command; `settings` unless given. */
  readonly name?: string | undefined;
  /** Subcommands to leave out. */
  readonly without?: readonly SettingsSubcommand[] | undefined;
}

export function settingsCommandOf({ name, without = [] }: SettingsCommandForm = {}): Command<SettingsServices> {
  const left: readonly string[] = without;
  const kept = Object.entries<Action<SettingsServices>>(SUBCOMMANDS).filter(
    ([subcommand]) => !left.includes(subcommand),
  );
  return {
    name: 'settings',
    ...(name !== undefined && { registeredAs: name }),
    forManagers: true,
    ...(!left.includes('show') && { bare: 'show' }),
    subcommands: Object.fromEntries(kept),
  };
}
