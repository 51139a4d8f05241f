import { ApplicationCommandOptionType } from 'discord-api-types/v10';
import type { z } from 'zod';

/** An option as far as the rules among options concern it. */
interface ListedOption {
  readonly type: ApplicationCommandOptionType;
  readonly name: string;
  readonly required?: boolean | undefined;
  readonly autocomplete?: boolean | undefined;
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[] | undefined;
}

/** Adds the errors of options that do not go with those before them. */
export function checkOptions(listed: readonly ListedOption[], context: Pick<z.core.$RefinementCtx, 'addIssue'>): void {
  const names = new Set<string>();
  for (const [index, option] of listed.entries()) {
    const before = listed.slice(0, index);
    const complain = (code: string, message: string, path: PropertyKey[] = []): void => {
      context.addIssue({ code: 'custom', path: [index, ...path], message, params: { code } });
    };
    if (names.has(option.name)) {
      const message = `Option name ${option.name} is already used in these options`;
      complain('APPLICATION_COMMAND_OPTIONS_NAME_INVALID', message);
    }
    names.add(option.name);
    if (before.some((other) => isSubcommand(other) !== isSubcommand(option))) {
      const message = 'Sub-command and sub-command group option types are mutually exclusive to all other types';
      complain('APPLICATION_COMMAND_OPTIONS_TYPE_INVALID', message);
    }
    if (option.required && before.some(({ required }) => !required)) {
      const message = 'Required options must be placed before non-required options';
      complain('APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', message);
    }
    for (const [position, { name }] of (option.choices ?? []).entries()) {
      if (option.choices?.slice(0, position).some((other) => other.name === name)) {
        complain('APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_INVALID', `Choice name ${name} is already used`, [
          'choices',
          position,
          'name',
        ]);
      }
    }
    if (option.autocomplete && option.choices?.length) {
      const message = 'Autocomplete cannot be enabled for options with choices';
      complain('APPLICATION_COMMAND_OPTIONS_AUTOCOMPLETE_INVALID', message);
    }
  }
}

function isSubcommand({ type }: ListedOption): boolean {
  const { Subcommand, SubcommandGroup } = ApplicationCommandOptionType;
  return type === Subcommand || type === SubcommandGroup;
}
