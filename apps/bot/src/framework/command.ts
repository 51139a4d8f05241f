import type { enUS } from '../i18n/locales/en-us.ts';
import type { Invocation } from './invocation.ts';
import type { OptionSet, OptionValues, RawOptions } from './options.ts';
import type { Services } from './services.ts';

/** English names of all commands. */
export type CommandName = keyof typeof enUS.commands;

/** Arguments of an action: the invocation, the result of the guard, and the values of the options. */
export interface Use<Options extends OptionSet, Pass> {
  readonly invocation: Invocation;
  readonly pass: Pass;
  readonly options: OptionValues<Options>;
  readonly services: Services;
}

interface ActionDefinition<Options extends OptionSet, Pass> {
  readonly options: Options;
  /** Checks permissions before any option is read. Throws Refusal. */
  readonly guard: (invocation: Invocation) => Pass;
  /** Whether only the user sees the reply, where Discord supports that. */
  readonly isPrivate?: boolean;
  readonly isBeta?: boolean;
  /** Performs the action and returns the reply. Throws Refusal. */
  readonly run: (use: Use<Options, Pass>) => Promise<string> | string;
}

/** A command without subcommands, or a subcommand. */
export interface Action {
  readonly options: OptionSet;
  readonly isPrivate: boolean;
  readonly isBeta: boolean;
  /**
   * Runs the guard, reads the options, performs the action and returns the reply.
   * @param readOptions returns the checked options
   * @throws Refusal
   */
  execute(invocation: Invocation, readOptions: () => RawOptions, services: Services): Promise<string>;
}

/** A guard that admits every user. */
export function allUsers(): void {}

/** Infers the argument types of `run` from `options` and `guard`. */
export function action<Options extends OptionSet, Pass>({
  options,
  guard,
  isPrivate = false,
  isBeta = false,
  run,
}: ActionDefinition<Options, Pass>): Action {
  return {
    options,
    isPrivate,
    isBeta,
    async execute(invocation, readOptions, services) {
      const pass = guard(invocation);
      // `readOptions` checks by these options.
      const values = readOptions() as OptionValues<Options>;
      return run({ invocation, pass, options: values, services });
    },
  };
}

/** A command with one action, or with several as subcommands. */
export interface Command {
  readonly name: CommandName;
  /** Whether Discord shows it to managers only, unless a guild overrides that. The guards check permissions, not this. */
  readonly forManagers?: boolean;
  readonly action?: Action;
  readonly subcommands?: Readonly<Record<string, Action>>;
}
