import type { enUS } from '../i18n/locales/en-us.ts';
import type { Invocation } from './invocation.ts';
import type { OptionSet, OptionValues, RawOptions } from './options.ts';
import type { Services } from './services.ts';

/** The names of all commands, in English. */
export type CommandName = keyof typeof enUS.commands;

/** What an action gets: who uses it, what the guard let pass, and what the options were given. */
export interface Use<Options extends OptionSet, Pass> {
  readonly invocation: Invocation;
  readonly pass: Pass;
  readonly options: OptionValues<Options>;
  readonly services: Services;
}

interface ActionDefinition<Options extends OptionSet, Pass> {
  readonly options: Options;
  /** Decides who may, before anything is read. Throws Refusal. */
  readonly guard: (invocation: Invocation) => Pass;
  /** The answer is for the person alone, where Discord can do that. */
  readonly isPrivate?: boolean;
  readonly isBeta?: boolean;
  /** Does it and gives the answer. Throws Refusal. */
  readonly run: (use: Use<Options, Pass>) => Promise<string> | string;
}

/** Something that a person can have done: a command, or a subcommand of one. */
export interface Action {
  readonly options: OptionSet;
  readonly isPrivate: boolean;
  readonly isBeta: boolean;
  /**
   * Guards, then reads the options, then acts.
   * @param readOptions gives the checked options
   * @throws Refusal
   */
  execute(invocation: Invocation, readOptions: () => RawOptions, services: Services): Promise<string>;
}

/** Everybody may. */
export function everybody(): void {}

/** Makes an action whose options, guard and body are of one mind. */
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
      // They were read by these very options.
      const values = readOptions() as OptionValues<Options>;
      return run({ invocation, pass, options: values, services });
    },
  };
}

/** A command: one action, or several under subcommands. */
export interface Command {
  readonly name: CommandName;
  /** Discord shows it to managers alone, until a guild decides otherwise. The guards decide, not this. */
  readonly forManagers?: boolean;
  readonly action?: Action;
  readonly subcommands?: Readonly<Record<string, Action>>;
}
