import type { Action, Command } from '../framework/command.ts';
import type { SettingsTexts } from '../i18n/settings-texts.ts';
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

/** The options that affect the registration. */
export interface SettingsCommandForm {
  /** The name of the command; `settings` unless given. */
  readonly name?: string;
  /** Subcommands to leave out, such as `access`. */
  readonly without?: readonly SettingsSubcommand[];
  /** Texts that replace those of the package, or for a language that it does not have, by Discord's locales. */
  readonly texts?: SettingsTexts;
}

/** @throws TypeError when a subcommand to leave out does not exist, or if all are left out */
export function settingsCommandOf({ name, without = [] }: SettingsCommandForm = {}): Command<SettingsServices> {
  const all = Object.entries<Action<SettingsServices>>(SUBCOMMANDS);
  const names = Object.keys(SUBCOMMANDS).join(', ');
  const left: readonly string[] = without;
  const unknown = left.filter((one) => !Object.hasOwn(SUBCOMMANDS, one));
  if (unknown.length > 0) {
    throw new TypeError(`Expected subcommands in \`without\`, which are ${names}; received ${unknown.join(', ')}`);
  }
  const kept = all.filter(([subcommand]) => !left.includes(subcommand));
  if (kept.length === 0) throw new TypeError(`Expected \`without\` to leave one of the subcommands: ${names}`);
  return {
    name: 'settings',
    ...(name !== undefined && { registeredAs: name }),
    forManagers: true,
    ...(!left.includes('show') && { bare: 'show' }),
    subcommands: Object.fromEntries(kept),
  };
}
