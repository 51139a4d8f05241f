import { setTimeout as delay } from 'node:timers/promises';
import { type Backoff, backoffMs } from '@guild-settings/runtime/backoff';
import { type APIApplicationCommand, type Client, RESTJSONErrorCodes, Routes } from 'discord.js';
import { type CommandData, isEqual, isVersionOf } from './compare-commands.ts';

type Registered = Pick<APIApplicationCommand, 'id' | 'version'>;

/** Commands that earlier runs of a program have registered, by the ids and versions assigned by Discord. */
export interface OwnCommands {
  versions(): ReadonlyMap<string, string>;
  put(command: Registered): void;
  remove(id: string): void;
}

export interface RegistrationOptions {
  readonly commands: readonly CommandData[];
  /** Other forms of the commands, to recognise those registered by earlier versions. */
  readonly known?: readonly CommandData[];
  /** The guild to register them in; all guilds unless given. */
  readonly guildId?: string | undefined;
  /** False: only reads the commands, to find those of other programs. */
  readonly writes?: boolean;
  /** Without it, commands are recognised by their descriptions, and none is deleted. */
  readonly own?: OwnCommands;
  /** Called with the name of a command of another program, which is left unchanged. */
  readonly onForeign: (name: string) => void;
  /** Called with the name of a command that was removed by another program and created again. */
  readonly onRemoved: (name: string, times: number) => void;
  /** Returns milliseconds since 1970; `Date.now` unless given. */
  readonly clock?: () => number;
}

/** The last known state of a command. */
interface Found {
  isOwn?: boolean;
  foreignId?: string | undefined;
  removals: number;
  createdAt: number;
}

/**
 * Minimum time between two creations of a command that is repeatedly removed. Discord accepts 200 new commands per day.
 * @see https://docs.discord.com/developers/interactions/application-commands#registering-a-command
 */
const CREATED_EVERY_MS = 3_600_000;

const REMOVALS_AT_ONCE = 2;

/**
 * The commands of a program in the list of an application, to which other programs add theirs. They are created and
 * updated by name, one by one, so that several processes can do it concurrently and other commands stay. An existing
 * command of the same name is left unchanged unless the program, or an earlier version of it, has created it.
 * @see https://docs.discord.com/developers/interactions/application-commands#create-global-application-command
 */
export class Registration {
  readonly #options: RegistrationOptions;
  readonly #found = new Map<string, Found>();
  #isRegistered = false;

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  isForeign(commandId: string): boolean {
    return [...this.#found.values()].some(({ foreignId }) => foreignId === commandId);
  }

  /**
   * Reads the list and creates missing commands. The first successful run also updates commands that differ, and
   * deletes those of `own` that the program no longer has. Later, a command of another version stays unchanged, so that
   * two versions do not overwrite each other forever; and among several processes, the one with shard 0 creates missing
   * commands.
   * @throws the error of discord.js when Discord cannot be reached or refuses a command
   */
  async register(client: Client, applicationId: string, signal: AbortSignal): Promise<void> {
    const { commands, guildId, own, writes = true, clock = Date.now } = this.#options;
    const path =
      guildId === undefined
        ? Routes.applicationCommands(applicationId)
        : Routes.applicationGuildCommands(applicationId, guildId);
    const isFirst = !this.#isRegistered;
    const mayCreate = writes && (isFirst || client.ws.shards.has(0));
    const query = new URLSearchParams({ with_localizations: 'true' });
    const listed = await client.rest.get(path, { query, signal });
    if (!Array.isArray(listed)) throw new Error('Expected the list of commands from Discord, received something else');
    const before = own?.versions() ?? new Map<string, string>();
    const write = async (command: CommandData): Promise<void> => {
      const written = (await client.rest.post(path, { body: this.#bodyOf(command), signal })) as Registered;
      own?.put(written);
    };
    for (const command of commands) {
      const found = this.#foundOf(command.name);
      const registered: APIApplicationCommand | undefined = listed.find(
        ({ name, type }) => name === command.name && type === command.type,
      );
      if (registered === undefined) {
        found.foreignId = undefined;
        if (!mayCreate || isTooSoon(found, clock())) continue;
        await write(command);
        found.createdAt = clock();
        if (found.isOwn) {
          found.removals += 1;
          this.#options.onRemoved(command.name, found.removals);
        }
      } else if (!this.#isOwn(registered)) {
        if (found.foreignId !== registered.id) this.#options.onForeign(command.name);
        Object.assign(found, { isOwn: false, foreignId: registered.id });
        if (writes && own?.versions().has(registered.id)) own.remove(registered.id);
        continue;
      } else {
        found.foreignId = undefined;
        if (writes && isFirst && !isEqual(registered, this.#bodyOf(command))) await write(command);
        else if (writes && own && own.versions().get(registered.id) !== registered.version) own.put(registered);
      }
      found.isOwn = true;
    }
    if (isFirst && writes && own) {
      await deleteOthers({ own, before, listed, commands }, (id) =>
        client.rest.delete(`${path}/${id}`, { signal }).catch(ignoreUnknown),
      );
    }
    this.#isRegistered = true;
  }

  #foundOf(name: string): Found {
    const found = this.#found.get(name) ?? { removals: 0, createdAt: Number.NEGATIVE_INFINITY };
    this.#found.set(name, found);
    return found;
  }

  #isOwn(registered: APIApplicationCommand): boolean {
    const { commands, known = [], own } = this.#options;
    // A program that registers a command of the same name takes over the id, and changes the version.
    if (own?.versions().get(registered.id) === registered.version) return true;
    return [...commands, ...known].some(
      (command) => command.name === registered.name && isVersionOf(registered, command),
    );
  }

  /** Returns a command in the form to send. Commands of a guild have neither contexts nor integration types. */
  #bodyOf(command: CommandData): CommandData {
    if (this.#options.guildId === undefined) return command;
    const { contexts: _contexts, integration_types: _installations, ...body } = command;
    return body;
  }
}

function isTooSoon({ isOwn, removals, createdAt }: Found, now: number): boolean {
  return isOwn === true && removals >= REMOVALS_AT_ONCE && now - createdAt < CREATED_EVERY_MS;
}

interface Deletion {
  readonly own: OwnCommands;
  /** The versions in `own` before this registration. */
  readonly before: ReadonlyMap<string, string>;
  readonly listed: readonly APIApplicationCommand[];
  readonly commands: readonly CommandData[];
}

/** Deletes commands of earlier versions with other names, unless another program has changed them since. */
async function deleteOthers({ own, before, listed, commands }: Deletion, remove: (id: string) => Promise<unknown>) {
  for (const [id, version] of before) {
    const registered = listed.find((one) => one.id === id);
    if (commands.some(({ name }) => name === registered?.name)) continue;
    if (registered?.version === version) await remove(id);
    own.remove(id);
  }
}

function ignoreUnknown(error: unknown): void {
  if (codeOf(error) !== RESTJSONErrorCodes.UnknownApplicationCommand) throw error;
}

/** Returns the code of Discord's response. The error may be of another copy of discord.js. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

export interface KeepOptions {
  readonly signal: AbortSignal;
  /** Called with the error of a failed registration, which is retried. */
  readonly onFailed: (error: unknown, registration: Registration) => void;
  readonly onRegistered: (registration: Registration) => void;
  /** Time until the first check in milliseconds; 0 unless given. */
  readonly afterMs?: number;
  readonly intervals?: CheckIntervals;
}

/** The intervals of the checks of registered commands, in milliseconds. */
export interface CheckIntervals {
  /** After the start, because a program that registers a list of all commands may start with the bot. */
  readonly firstMs: number;
  readonly everyMs: number;
  readonly afterFailureMs: number;
}

export const CHECK_INTERVALS: CheckIntervals = { firstMs: 60_000, everyMs: 900_000, afterFailureMs: 5_000 };

/**
 * Registers commands, and regularly checks that they still are. Does not keep the process running. Resolves after the
 * signal is aborted.
 */
export async function keepRegistered(
  client: Client,
  registrations: readonly Registration[],
  { signal, onFailed, onRegistered, afterMs = 0, intervals = CHECK_INTERVALS }: KeepOptions,
): Promise<void> {
  const backoff: Backoff = { firstMs: intervals.afterFailureMs, longestMs: intervals.everyMs };
  let waitMs = afterMs;
  let nextMs = afterMs === 0 ? intervals.firstMs : intervals.everyMs;
  let failures = 0;
  while (!signal.aborted) {
    await delay(waitMs, undefined, { signal, ref: false }).catch(() => {});
    let hasFailed = false;
    for (const registration of registrations) {
      if (signal.aborted) return;
      // A destroyed client has no token.
      if (!client.isReady()) continue;
      try {
        await registration.register(client, client.application.id, signal);
        onRegistered(registration);
      } catch (error) {
        if (signal.aborted) return;
        hasFailed = true;
        onFailed(error, registration);
      }
    }
    failures = hasFailed ? failures + 1 : 0;
    waitMs = hasFailed ? backoffMs(failures - 1, backoff) : nextMs;
    if (!hasFailed) nextMs = intervals.everyMs;
  }
}

/** Returns the failure of a registration as an error whose message includes the remedy. */
export function registrationError(error: unknown, name: string): Error {
  return new Error(`/${name} could not be registered: ${adviceFor(error)}`, { cause: error });
}

function adviceFor(error: unknown): string {
  const { message } = error instanceof Error ? error : { message: String(error) };
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  switch (codeOf(error)) {
    case RESTJSONErrorCodes.MissingAccess:
    case RESTJSONErrorCodes.UnknownGuild:
      return 'the bot is not in a guild of the option guilds, or was added without the scope applications.commands. Add it to that guild.';
    case RESTJSONErrorCodes.MaximumNumberOfApplicationCommandsReached:
      return 'the application has as many commands as Discord allows. Remove one.';
    case RESTJSONErrorCodes.MaximumDailyApplicationCommandCreatesReached:
      return "Discord's limit of 200 new commands a day is used up. Find the program that repeatedly removes commands.";
  }
  if (status === 400) return `Discord does not accept it. Correct the options name and texts. (${message})`;
  if (status === 401 || status === 403) return `Discord refuses it. Check the token of the bot. (${message})`;
  return `Discord did not respond as expected. It will be retried. (${message})`;
}
