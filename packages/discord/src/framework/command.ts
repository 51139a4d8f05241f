import { shorten } from '@guild-settings/i18n';
import { FormRefusal, Refusal } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';
import type { FilledIn, Form, Invocation, Reply } from './invocation.ts';
import type { CheckedOptions, OptionSet, OptionValues, RawOptions } from './options.ts';

/** The services of commands that the framework itself uses. */
export interface CommandServices {
  /** Returns milliseconds since 1970. */
  readonly clock: () => number;
}

export interface ActionUse<Options extends OptionSet, Pass, Services> {
  readonly invocation: Invocation;
  readonly pass: Pass;
  readonly options: OptionValues<Options>;
  readonly services: Services;
}

/** Arguments of a button: its use as an invocation, the result of the guard, and the button's values. */
interface ButtonUse<Pass, Services> {
  readonly invocation: Invocation;
  readonly pass: Pass;
  readonly values: readonly string[];
  readonly shown: string;
  readonly services: Services;
}

interface FormUse<Pass, Services> extends Omit<ButtonUse<Pass, Services>, 'shown'> {
  readonly filledIn: FilledIn;
}

export interface Typing<Services> {
  readonly invocation: Invocation;
  readonly translator: Translator;
  readonly typed: string;
  readonly values: RawOptions;
  readonly services: Services;
}

/** A value that a person can choose instead of typing it. At most 100 characters each. */
export interface Suggestion {
  readonly name: string;
  readonly value: string;
  /** Additional texts that match the value. */
  readonly otherNames?: readonly string[];
}

type Suggest<Services> = (typing: Typing<Services>) => readonly Suggestion[];

export interface ActionDefinition<Options extends OptionSet, Pass, Services> {
  readonly options: Options;
  /** Checks permissions before any option is read. Throws Refusal. */
  readonly guard: (invocation: Invocation) => Pass;
  /** True: only the user sees the reply to a slash command. Always so for replies with buttons. */
  readonly isPrivate?: boolean;
  readonly isBeta?: boolean;
  readonly run: (use: ActionUse<Options, Pass, Services>) => Promise<Reply | string> | Reply | string;
  readonly suggest?: { readonly [Name in keyof Options]?: Suggest<Services> };
  /** Handles the submitted form of its replies and returns the next reply. Throws Refusal. */
  readonly submit?: (use: FormUse<Pass, Services>) => Promise<Reply | string> | Reply | string;
  /** The handlers of its replies' buttons, by name. The returned reply replaces the one with the button. */
  readonly buttons?: Readonly<
    Record<string, (use: ButtonUse<Pass, Services>) => Promise<Reply | string> | Reply | string>
  >;
  /** Buttons that open a form, by name. The reply to the submitted form replaces the one with the button. */
  readonly formButtons?: Readonly<Record<string, (use: ButtonUse<Pass, Services>) => Reply & { readonly form: Form }>>;
}

interface ButtonAction<Services> {
  readonly opensForm: boolean;
  /** Runs the guard and the button's handler, and returns the new reply. Throws Refusal. */
  press(
    invocation: Invocation,
    button: Pick<ButtonUse<unknown, Services>, 'values' | 'shown'>,
    services: Services,
  ): Promise<Reply>;
}

type FormAction<Services> = (
  invocation: Invocation,
  form: Pick<FormUse<unknown, Services>, 'values' | 'filledIn'>,
  services: Services,
) => Promise<Reply>;

export interface Action<Services = never> {
  readonly options: OptionSet;
  readonly isPrivate: boolean;
  readonly isBeta: boolean;
  /**
   * Runs the guard, reads the options, performs the action and returns the reply.
   * @param readOptions returns the checked options
   * @throws Refusal
   */
  execute(invocation: Invocation, readOptions: () => CheckedOptions, services: Services): Promise<Reply>;
  /** Runs the guard. Throws Refusal. */
  admit(invocation: Invocation): void;
  suggest(option: string): Suggest<Services> | undefined;
  readonly submit: FormAction<Services> | undefined;
  button(name: string): ButtonAction<Services> | undefined;
}

export function allUsers(): void {}

/**
 * Returns the function that creates the actions of a bot with these services. It infers the argument types of `run`
 * from `options` and `guard`.
 */
export function actionsWith<Services>() {
  return <Options extends OptionSet, Pass>(definition: ActionDefinition<Options, Pass, Services>): Action<Services> =>
    actionOf(definition);
}

function actionOf<Options extends OptionSet, Pass, Services>({
  options,
  guard,
  isPrivate = false,
  isBeta = false,
  run,
  suggest = {},
  submit,
  buttons = {},
  formButtons = {},
}: ActionDefinition<Options, Pass, Services>): Action<Services> {
  return {
    options,
    isPrivate: isPrivate || Object.keys(buttons).length > 0,
    isBeta,
    async execute(invocation, readOptions, services) {
      const pass = guard(invocation);
      // `readOptions` checks the values by these options.
      const values = readOptions() as OptionValues<Options>;
      return replyOf(await run({ invocation, pass, options: values, services }));
    },
    admit: (invocation) => void guard(invocation),
    suggest: (option) => (Object.hasOwn(suggest, option) ? suggest[option] : undefined),
    submit:
      submit &&
      (async (invocation, form, services) => {
        const pass = guard(invocation);
        try {
          return replyOf(await submit({ invocation, pass, ...form, services }));
        } catch (error) {
          throw error instanceof Refusal ? new FormRefusal(error.message) : error;
        }
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

export interface Command<Services = never> {
  /** The key of its texts. */
  readonly name: string;
  /** The name in Discord; the key of its texts unless given. */
  readonly registeredAs?: string;
  /**
   * True: Discord shows it only to managers, unless a guild overrides that. For messages, the guards check permissions.
   */
  readonly forManagers?: boolean;
  readonly action?: Action<Services>;
  readonly subcommands?: Readonly<Record<string, Action<Services>>>;
  readonly bare?: string;
}

/** Discord's limit for the name and the value of a suggestion. */
const MAX_LENGTH = 100;

/** Returns the suggestions that can be offered, in displayed form. A longer value cannot be chosen, but typed. */
export function offered(suggestions: readonly Suggestion[]): Suggestion[] {
  return suggestions
    .filter(({ value }) => value !== '' && [...value].length <= MAX_LENGTH)
    .map((suggestion) => ({ ...suggestion, name: shorten(suggestion.name, MAX_LENGTH) }));
}

/**
 * Returns options with names of suggestions replaced by their values. Discord inserts the name, and sends it as text
 * after it was edited. The names of settings also find suggestions.
 */
export function suggestedValues<Services>(
  { options, suggest }: Pick<Action<Services>, 'options' | 'suggest'>,
  values: RawOptions,
  { invocation, services }: Pick<Typing<Services>, 'invocation' | 'services'>,
): RawOptions {
  const { translator } = invocation;
  const meant = Object.entries(values).map(([name, typed]) => {
    const suggestOf = options[name]?.kind === 'text' ? suggest(name) : undefined;
    if (suggestOf === undefined || typeof typed !== 'string') return [name, typed] as const;
    return [name, suggestedValue(suggestOf, { invocation, translator, typed, values, services })] as const;
  });
  return Object.fromEntries(meant);
}

/** Returns the value of the suggestion whose current name is the text; otherwise the text. */
function suggestedValue<Services>(suggest: Suggest<Services>, { typed, ...typing }: Typing<Services>): string {
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
