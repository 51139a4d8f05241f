import type { Replica } from '@guild-settings/replica';
import type { Channels } from '../discord/channels.ts';
import type { Connection } from '../discord/connection.ts';
import type { enUS } from '../i18n/locales/en-us.ts';
import type { Reminders } from '../reminders/reminders.ts';
import type { AccessReader } from '../settings/access-reader.ts';
import type { SettingsHistory } from '../settings/settings-history.ts';
import type { SettingsWriter } from '../settings/settings-writer.ts';
import type { Invocation, Reply } from './invocation.ts';
import type { OptionSet, OptionValues, RawOptions } from './options.ts';

/** Dependencies of the commands. */
export interface Services {
  readonly connection: Connection;
  readonly replica: Pick<Replica, 'status' | 'metrics'>;
  readonly settings: SettingsWriter;
  readonly history: SettingsHistory;
  readonly access: AccessReader;
  readonly channels: Channels;
  readonly reminders: Pick<Reminders, 'add' | 'of' | 'cancel'>;
  /** Returns milliseconds since 1970. */
  readonly clock: () => number;
}

/** English names of all commands. */
export type CommandName = keyof typeof enUS.commands;

/** Arguments of an action: the invocation, the result of the guard, and the values of the options. */
export interface Use<Options extends OptionSet, Pass> {
  readonly invocation: Invocation;
  readonly pass: Pass;
  readonly options: OptionValues<Options>;
  readonly services: Services;
}

/** Arguments of a button: the use of the button as an invocation, the result of the guard, and the button's values. */
export interface ButtonUse<Pass> {
  readonly invocation: Invocation;
  readonly pass: Pass;
  readonly values: readonly string[];
  readonly services: Services;
}

interface ActionDefinition<Options extends OptionSet, Pass> {
  readonly options: Options;
  /** Checks permissions before any option is read. Throws Refusal. */
  readonly guard: (invocation: Invocation) => Pass;
  /** Whether only the user sees the reply to a slash command; always, if it has buttons. */
  readonly isPrivate?: boolean;
  readonly isBeta?: boolean;
  /** Performs the action and returns the reply. Throws Refusal. */
  readonly run: (use: Use<Options, Pass>) => Promise<Reply | string> | Reply | string;
  /** What the buttons of its replies do, by name. The returned reply takes the place of the one with the button. */
  readonly buttons?: Readonly<Record<string, (use: ButtonUse<Pass>) => Promise<Reply | string> | Reply | string>>;
}

/** Runs the guard, does what a button does, and returns the new reply. Throws Refusal. */
export type ButtonAction = (invocation: Invocation, values: readonly string[], services: Services) => Promise<Reply>;

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
  execute(invocation: Invocation, readOptions: () => RawOptions, services: Services): Promise<Reply>;
  /** Returns what a button of its replies does; `undefined`: it has no button of this name. */
  button(name: string): ButtonAction | undefined;
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
  buttons = {},
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
    button(name) {
      const press = Object.hasOwn(buttons, name) ? buttons[name] : undefined;
      return (
        press &&
        (async (invocation, values, services) => {
          const pass = guard(invocation);
          return replyOf(await press({ invocation, pass, values, services }));
        })
      );
    },
  };
}

function replyOf(reply: Reply | string): Reply {
  return typeof reply === 'string' ? { content: reply } : reply;
}

/** A command with one action, or with several as subcommands. */
export interface Command {
  readonly name: CommandName;
  /** Whether Discord shows it to managers only, unless a guild overrides that. For messages, the guards check permissions. */
  readonly forManagers?: boolean;
  readonly action?: Action;
  readonly subcommands?: Readonly<Record<string, Action>>;
}
