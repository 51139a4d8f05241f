import { Console } from 'node:console';
import { hostname } from 'node:os';
import { clientCredentials, type TokenSource } from '@guild-settings/client';
import type { Declaration } from '@guild-settings/contract/settings';
import Database from 'better-sqlite3';
import { DamagedFileError } from './damaged-file.ts';
import { followShards, type Shards } from './follow-shards.ts';
import { notify } from './listeners.ts';
import { Replica } from './replica.ts';
import type { HeldReset, ReplicaOptions } from './replica-options.ts';

/** The credentials of a Discord application, to obtain access tokens by the client-credentials grant. */
export interface ApplicationCredentials {
  readonly applicationId: string;
  readonly clientSecret: string;
  /** Discord's REST API; `https://discord.com/api/v10` by default. */
  readonly discordApiUrl?: string | undefined;
}

/**
 * Receives the log entries of a replica. A pino logger and `console` are suitable. For a console the message comes
 * first; an error that is a state is reduced to its message and that of its cause.
 */
export interface ReplicaLog {
  /** Receives one entry when the settings are no longer up to date, instead of one per attempt. */
  warn(fields: { readonly err: unknown }, message: string): void;
  error(fields: object, message: string): void;
  /** Receives one entry when the settings are up to date again. Optional. */
  info?(fields: object, message: string): void;
}

/** Options of {@link openReplica}: the file, the service and the credentials. */
export interface OpenReplicaOptions<D extends Declaration | undefined = undefined>
  extends Pick<
    ReplicaOptions<D>,
    'path' | 'damagedFile' | 'settings' | 'clock' | 'holdMs' | 'acceptedEpoch' | 'onHeld' | 'onRemoved'
  > {
  /** The base URL of the settings service, such as `http://127.0.0.1:3000`. */
  readonly apiUrl: string | URL;
  /** Credentials of the application, one of its access tokens, or a source of them. */
  readonly credentials: ApplicationCredentials | TokenSource | string;
  /** The shards of this process; all guilds of the bot by default. */
  readonly shards?: Shards | null;
  /**
   * The name of this process for people, which the service uses for the process that lacks a change; the host name by
   * default.
   */
  readonly name?: string | undefined;
  /** Receives an entry for each change of state, and, without `onHeld`, for each new history that is held back. */
  readonly log?: ReplicaLog;
}

/**
 * Opens the file of a replica, creates it if it does not exist, and starts to follow the service. Settings in the file
 * can be read at once, even if the service is not reachable.
 * @throws RangeError for invalid shards
 * @throws FileInUseError when another process has the file open
 * @throws DamagedFileError when the file is damaged, with `damagedFile: 'throw'`, or if it cannot be moved
 * @throws SqliteError when the file cannot be opened
 */
export function openReplica<const D extends Declaration | undefined = undefined>(
  options: OpenReplicaOptions<D>,
): Replica<D> {
  const { apiUrl, credentials, shards = null, name = hostname(), log: given, ...rest } = options;
  const log = given && sentenceFirst(given);
  const logHeld = (reset: HeldReset) =>
    log?.error(reset, 'The new history of the settings service is held back: most guilds are missing.');
  const replica: Replica<D> = new Replica<D>({
    ...followShards({ url: apiUrl, token: tokensOf(credentials), shards, name }),
    onError: logStates(log, () => replica.waitUntilLive()),
    // Written even without a log: a single line, and the only trace of the file's new place.
    onReplaced: (movedTo) =>
      (log ?? sentenceFirst(console)).error(
        { movedTo },
        `The file of the settings was damaged, and was moved to ${movedTo}. All settings are fetched again.`,
      ),
    onRejected: (record) =>
      log?.error(
        record,
        'A record of the settings service cannot be read; the previous settings are used. Upgrade the bot.',
      ),
    onListenerError: (err) => log?.error({ err }, 'A listener of the settings threw an error.'),
    ...rest,
    onHeld: options.onHeld ?? logHeld,
  });
  replica.start();
  return replica;
}

/** Returns a function that logs a failure once until the settings are up to date again, which is also logged. */
function logStates(log: ReplicaLog | undefined, waitUntilLive: () => Promise<void>): (err: unknown) => void {
  const lasting = new Set<string>();
  const recovered = (downMs: number) => {
    lasting.clear();
    log?.info?.({ downMs }, 'The settings are up to date again.');
  };
  return (err) => {
    const state = stateOf(err);
    if (lasting.has(state)) return;
    if (lasting.size === 0) {
      const lostAt = performance.now();
      const onLive = () => notify(recovered, Math.round(performance.now() - lostAt));
      void waitUntilLive().then(onLive, () => {});
    }
    lasting.add(state);
    log?.warn({ err }, state);
  };
}

/** Returns the state that an error begins or continues. */
function stateOf(error: unknown): string {
  if (error instanceof DamagedFileError)
    return 'The file of the settings is damaged; the settings that were read before are used.';
  if (error instanceof Database.SqliteError)
    return 'The file of the settings cannot be written; the settings in it are used.';
  // An error of the bot's own copy of the client has another class.
  if (error instanceof Error && error.name === 'TokenError')
    return 'There is no access token for the settings service; the stored settings are used.';
  return 'The settings service cannot be followed; the stored settings are used.';
}

function sentenceFirst(log: ReplicaLog): ReplicaLog {
  if (!isConsole(log)) return log;
  return {
    warn: ({ err }, message) => log.warn(message, ...(err === undefined ? [] : [{ err: reasonOf(err) }])),
    error: (fields, message) => log.error(message, fields),
    info: (fields, message) => log.info(message, fields),
  };
}

function isConsole(log: object): log is Console {
  return log === console || log instanceof Console;
}

/** Returns the messages of an error and its cause, or their codes if they have no message. */
function reasonOf(error: unknown): string {
  const text = (one: unknown) => (one instanceof Error ? one.message || Reflect.get(one, 'code') || one.name : one);
  const own = String(text(error));
  const cause = error instanceof Error && error.cause !== undefined ? String(text(error.cause)) : '';
  return own.includes(cause) ? own : `${own}: ${cause}`;
}

function tokensOf(credentials: OpenReplicaOptions['credentials']): TokenSource | string {
  if (typeof credentials === 'string' || 'get' in credentials) return credentials;
  const { discordApiUrl = 'https://discord.com/api/v10' } = credentials;
  return clientCredentials({ ...credentials, discordApiUrl });
}
