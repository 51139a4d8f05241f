import { hostname } from 'node:os';
import { clientCredentials, type TokenSource } from '@guild-settings/client';
import type { Declaration } from '@guild-settings/contract/settings';
import { followShards, type Shards } from './follow-shards.ts';
import { Replica } from './replica.ts';
import type { HeldReset, ReplicaOptions } from './replica-options.ts';

/** The credentials of a Discord application: it obtains its access tokens by the client-credentials grant. */
export interface ApplicationCredentials {
  readonly applicationId: string;
  readonly clientSecret: string;
  /** Discord's REST API; `https://discord.com/api/v10` by default. */
  readonly discordApiUrl?: string | undefined;
}

/** Receives what a replica logs. A pino logger and `console` are such logs. */
export interface ReplicaLog {
  warn(fields: { readonly err: unknown }, message: string): void;
  error(fields: object, message: string): void;
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
   * The name of this process for people, with which the service names the process that lacks a change; the host's name
   * by default.
   */
  readonly name?: string | undefined;
  /** Receives an entry for each lost connection, and, without `onHeld`, for each new history that is held back. */
  readonly log?: ReplicaLog;
}

/**
 * Opens the file of a replica, creates it if there is none, and starts to follow the service. The settings that the file
 * holds can be read at once; the service need not be reachable.
 * @throws RangeError when the shards are not some of the bot's
 * @throws FileInUseError when another process has the file open
 * @throws DamagedFileError when the file is damaged, with `damagedFile: 'throw'`, or where it cannot be moved
 * @throws SqliteError when the file cannot be opened
 */
export function openReplica<const D extends Declaration | undefined = undefined>(
  options: OpenReplicaOptions<D>,
): Replica<D> {
  const { apiUrl, credentials, shards = null, name = hostname(), log, ...rest } = options;
  const logHeld = (reset: HeldReset) =>
    log?.error(reset, 'The new history of the settings service is held back: most guilds are missing.');
  const replica = new Replica<D>({
    ...followShards({ url: apiUrl, token: tokensOf(credentials), shards, name }),
    onError: (err) => log?.warn({ err }, 'The settings service cannot be followed; the stored settings are used.'),
    // Also without a log: it is one line, and the only trace of where the file is.
    onReplaced: (movedTo) =>
      (log ?? console).error(
        { movedTo },
        `The file of the settings was damaged, and is now ${movedTo}. All settings are fetched again.`,
      ),
    onRejected: (record) =>
      log?.error(
        record,
        'A record of the settings service cannot be read; the settings before it are used. Upgrade the bot.',
      ),
    onListenerError: (err) => log?.error({ err }, 'A listener of the settings has thrown.'),
    ...rest,
    onHeld: options.onHeld ?? logHeld,
  });
  replica.start();
  return replica;
}

function tokensOf(credentials: OpenReplicaOptions['credentials']): TokenSource | string {
  if (typeof credentials === 'string' || 'get' in credentials) return credentials;
  const { discordApiUrl = 'https://discord.com/api/v10' } = credentials;
  return clientCredentials({ ...credentials, discordApiUrl });
}
