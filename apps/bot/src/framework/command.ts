import { folded } from '@guild-settings/contract/settings';
import { shorten } from '@guild-settings/i18n';
import type { Replica } from '@guild-settings/replica';
import type { Channels } from '../discord/channels.ts';
import type { Connection } from '../discord/gateway-client.ts';
import type { Language, Translator } from '../i18n/translator.ts';
import type { Reminders } from '../reminders/reminders.ts';
import type { AccessReader, SettingsWriter } from '../settings/service.ts';
import type { SettingsHistory } from '../settings/settings-history.ts';
import type { Form, Invocation, Reply } from './invocation.ts';
import {
  type CheckedOptions,
  type CommandName,
  type CommandPath,
  type OptionSet,
  type OptionValues,
  type RawOptions,
  textsOf,
} from './options.ts';

export interface Services {
  readonly connection: Connection;
  readonly replica: Pick<Replica, 'status' | 'metrics'>;
  readonly settings: SettingsWriter;
  readonly history: SettingsHistory;
  readonly access: AccessReader;
  readonly channels: Channels;
  readonly reminders: Pick<Reminders, 'add' | 'of' | 'cancel'>;
  /** Returns the address of a guild's settings page; `undefined`: the bot does not know it. */
  readonly pageOf: (guildId: string) => string | undefined;
  readonly clock: () => number;
}

export interface Use<Options extends OptionSet, Pass> {
  readonly invocation: Invocation;
  readonly pass: Pass;
  readonly options: OptionValues<Options>;
  readonly services: Services;
}

/** Arguments of a button: the use of the button as an invocation, the result of the guard, and the button's values. */
interface ButtonUse<Pass> {
  readonly invocation: Invocation;
  readonly pass: Pass;
  readonly values: readonly string[];
  readonly shown: string;
  readonly services: Services;
}

interface FormUse<Pass> extends Omit<ButtonUse<Pass>, 'shown'> {
  readonly filledIn: string | readonly string[];
}

export interface Typing {
  readonly invocation: Invocation;
  readonly translator: Translator;
  readonly typed: string;
  readonly values: RawOptions;
  readonly services: Pick<Services, 'channels' | 'clock'>;
}

/** A value that a person can choose instead of typing it. At most 100 characters each. */
export interface Suggestion {
  readonly name: string;
  readonly value: string;
  /** Further texts that mean the value. */
  readonly otherNames?: readonly string[];
}

type Suggest = (typing: Typing) => readonly Suggestion[];

interface ActionDefinition<Options extends OptionSet, Pass> {
  readonly options: Options;
  /** Checks permissions before any option is read. Throws Refusal. */
  readonly guard: (invocation: Invocation) => Pass;
  /** True: only the user sees the reply to a slash command. Always so if it has buttons. */
  readonly isPrivate?: boolean;
  readonly isBeta?: boolean;
  readonly run: (use: Use<Options, Pass>) => Promise<Reply | string> | Reply | string;
  readonly suggest?: { readonly [Name in keyof Options]?: Suggest };
  /** Handles the form of its replies. The returned reply is to the values that were filled in. Throws Refusal. */
  readonly submit?: (use: FormUse<Pass>) => Promise<Reply | string> | Reply | string;
  /** The handlers of its replies' buttons, by name. The returned reply replaces the one with the button. */
  readonly buttons?: Readonly<Record<string, (use: ButtonUse<Pass>) => Promise<Reply | string> | Reply | string>>;
  /** Buttons that open a form, by name. The reply to what was filled in takes the place of the one with the button. */
  readonly formButtons?: Readonly<Record<string, (use: ButtonUse<Pass>) => Reply & { readonly form: Form }>>;
}

interface ButtonAction {
  readonly opensForm: boolean;
  /** Runs the guard, does what the button does, and returns the new reply. Throws Refusal. */
  press(
    invocation: Invocation,
    button: Pick<ButtonUse<unknown>, 'values' | 'shown'>,
    services: Services,
  ): Promise<Reply>;
}

type FormAction = (
  invocation: Invocation,
  form: Pick<FormUse<unknown>, 'values' | 'filledIn'>,
  services: Services,
) => Promise<Reply>;

export interface Action {
  readonly options: OptionSet;
  readonly isPrivate: boolean;
  readonly isBeta: boolean;
  /**
   * Runs the guard, reads the options, performs the action and returns the reply.
   * @param readOptions returns the checked options
   * @throws Refusal
   */
  execute(invocation: Invocation, readOptions: () => CheckedOptions, services: Services): Promise<Reply>;
  suggest(option: string): Suggest | undefined;
  readonly submit: FormAction | undefined;
  button(name: string): ButtonAction | undefined;
}

export function allUsers(): void {}

/** Infers the argument types of `run` from `options` and `guard`. */
export function action<Options extends OptionSet, Pass>({
  options,
  guard,
  isPrivate = false,
  isBeta = false,
  run,
  suggest = {},
  submit,
  buttons = {},
  formButtons = {},
}: ActionDefinition<Options, Pass>): Action {
  return {
    options,
    isPrivate: isPrivate || Object.keys(buttons).length > 0,
    isBeta,
    async execute(invocation, readOptions, services) {
      const pass = guard(invocation);
      // `readOptions` checks by these options.
      const values = readOptions() as OptionValues<Options>;
      return replyOf(await run({ invocation, pass, options: values, services }));
    },
    suggest: (option) => (Object.hasOwn(suggest, option) ? suggest[option] : undefined),
    submit:
      submit &&
      (async (invocation, form, services) => {
        const pass = guard(invocation);
        return replyOf(await submit({ invocation, pass, ...form, services }));
      }),
    button(name) {
      const opensForm = Object.hasOwn(formButtons, name);
      const press = opensForm ? formButtons[name] : Object.hasOwn(buttons, name) ? buttons[name] : undefined;
      return (
        press && {
          opensForm,
          async press(invocation, button, services) {
            const pass = guard(invocation);
            return replyOf(await press({ invocation, pass, ...button, services }));
          },
        }
      );
    },
  };
}

function replyOf(reply: Reply | string): Reply {
  return typeof reply === 'string' ? { content: reply } : reply;
}

export interface Command {
  readonly name: CommandName;
  /**
   * True: Discord shows it to managers only, unless a guild overrides that. For messages, the guards check permissions.
   */
  readonly forManagers?: boolean;
  readonly action?: Action;
  readonly subcommands?: Readonly<Record<string, Action>>;
  readonly bare?: string;
}

export interface FoundAction {
  readonly command: Command;
  readonly action: Action;
  readonly path: CommandPath;
}

export function findAction(
  commands: readonly Command[],
  name: string,
  subcommand: string | null,
): FoundAction | undefined {
  const command = commands.find((candidate) => candidate.name === name);
  if (command?.action) return { command, action: command.action, path: [command.name] };
  if (command?.subcommands === undefined || subcommand === null) return undefined;
  const action = Object.hasOwn(command.subcommands, subcommand) ? command.subcommands[subcommand] : undefined;
  return action && { command, action, path: [command.name, subcommand] };
}

export function findCommand(commands: readonly Command[], language: Language, wanted: string): Command | undefined {
  const typed = folded(wanted);
  return commands.find(({ name }) => name === typed || folded(textsOf(language, [name]).name) === typed);
}

/** Finds a subcommand by its name in a language or in English, without regard to case. */
export function findSubcommand(
  { name, subcommands = {} }: Command,
  language: Language,
  wanted: string,
): readonly [name: string, action: Action] | undefined {
  const typed = folded(wanted);
  return Object.entries(subcommands).find(
    ([subcommand]) => subcommand === typed || folded(textsOf(language, [name, subcommand]).name) === typed,
  );
}

/** Discord's limit for the name and the value of a suggestion. */
const MAX_LENGTH = 100;

/** Returns the suggestions that can be offered, as they are shown. A longer value cannot be chosen, but typed. */
export function offered(suggestions: readonly Suggestion[]): Suggestion[] {
  return suggestions
    .filter(({ value }) => value !== '' && [...value].length <= MAX_LENGTH)
    .map((suggestion) => ({ ...suggestion, name: shorten(suggestion.name, MAX_LENGTH) }));
}

/**
 * Returns options with the value of a suggestion in the place of its name. Discord inserts the name, and sends it as a text after it
 * was edited. The names of settings are among those by which they are found.
 */
export function suggestedValues(
  { options, suggest }: Pick<Action, 'options' | 'suggest'>,
  values: RawOptions,
  { invocation, services }: Pick<Typing, 'invocation' | 'services'>,
): RawOptions {
  const { translator } = invocation;
  const meant = Object.entries(values).map(([name, typed]) => {
    const suggestOf = options[name]?.kind === 'text' ? suggest(name) : undefined;
    if (suggestOf === undefined || typeof typed !== 'string') return [name, typed] as const;
    return [name, suggestedValue(suggestOf, { invocation, translator, typed, values, services })] as const;
  });
  return Object.fromEntries(meant);
}

/** Returns the value of the suggestion that has a text as its name now; otherwise the text. */
function suggestedValue(suggest: Suggest, { typed, ...typing }: Typing): string {
  const wanted = typed.trim().normalize();
  const { translator: ofGuild, ownTranslator = ofGuild } = typing.invocation;
  for (const translator of new Set([ownTranslator, ofGuild])) {
    const suggestions = offered(suggest({ ...typing, translator, typed: '' }));
    if (suggestions.some(({ value }) => value === typed)) return typed;
    const meant = suggestions.filter(({ name, otherNames = [] }) =>
      [name, ...otherNames].some((one) => one.trim().normalize() === wanted),
    );
    const [value, other] = new Set(meant.map((suggestion) => suggestion.value));
    if (value !== undefined && other === undefined) return value;
  }
  return typed;
}
