import {
  TokenError,
  type TokenSource,
  UnexpectedResponseError,
  WatchRefusedError,
  watch,
} from '@guild-settings/client';
import {
  DeclaredSettings,
  fieldsOf,
  type Guild,
  type RejectedRecord,
  type SettingsInput,
  SPECIFIED_SETTINGS,
  type WatchEvent,
} from '@guild-settings/contract';
import Database from 'better-sqlite3';

export interface SnapshotGuild {
  readonly revision: number;
  readonly guild: Guild;
}

/** The service whose records are received, and a callback for the progress. */
export interface SnapshotOptions {
  readonly url: string;
  readonly token: TokenSource;
  readonly signal: AbortSignal;
  readonly onProgress: (received: number) => void;
}

/** Connections in a row that may fail. */
const MAX_FAILURES = 8;

/**
 * The records of all guilds, as a watch sends them when it begins. A connection that is lost goes on where it was, and sends
 * guilds again that have changed since: they are collected in a temporary SQLite database, see `Staging`.
 */
export class Snapshot implements Disposable {
  readonly #db = new Database('');
  readonly #put: Database.Statement<[string, string]>;
  readonly #drop: Database.Statement<[string]>;
  #received = 0;
  #declared: DeclaredSettings | undefined;

  private constructor() {
    this.#db.pragma('journal_mode = OFF');
    this.#db.exec('CREATE TABLE guilds (guild TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID; BEGIN');
    this.#put = this.#db.prepare('INSERT OR REPLACE INTO guilds (guild, record) VALUES (?, ?)');
    this.#drop = this.#db.prepare('DELETE FROM guilds WHERE guild = ?');
  }

  /**
   * Receives all records.
   * @throws WatchRefusedError, TokenError, the last error of connections that failed, an Error for a record that cannot be
   * read, or for settings that have changed meanwhile, or the reason of the signal
   */
  static async receive({ url, token, signal, onProgress }: SnapshotOptions): Promise<Snapshot> {
    const snapshot = new Snapshot();
    const given = new AbortController();
    let failures = 0;
    let hasBegun = false;
    const onDisconnect = (error: unknown) => {
      failures += 1;
      hasBegun = false;
      const isFinal =
        error instanceof WatchRefusedError ||
        (error instanceof UnexpectedResponseError && error.isRedirect) ||
        (error instanceof TokenError && error.fault !== 'unavailable');
      if (isFinal || failures > MAX_FAILURES) given.abort(error ?? new Error('The service ended the connection'));
    };
    try {
      const over = AbortSignal.any([signal, given.signal]);
      for await (const { event, rejected: [unreadable] = [] } of watch({ url, token, signal: over, onDisconnect })) {
        failures = 0;
        if (unreadable !== undefined) throw new Error(unreadableText(unreadable));
        if (!hasBegun) snapshot.#begin(event);
        hasBegun = true;
        if (snapshot.#apply(event)) return snapshot;
        onProgress(snapshot.#received);
      }
      signal.throwIfAborted();
      throw given.signal.reason;
    } catch (error) {
      snapshot[Symbol.dispose]();
      throw error;
    }
  }

  *guilds(): Generator<SnapshotGuild, void> {
    const rows = this.#db.prepare<[], string>('SELECT record FROM guilds ORDER BY guild').pluck();
    for (const record of rows.iterate()) yield JSON.parse(record);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  /** Takes what the service declares from the first event of a stream. */
  #begin(event: WatchEvent): void {
    const before = this.#declared;
    this.#declared =
      event.type === 'declaration' ? new DeclaredSettings(event.declaration, event.tag) : SPECIFIED_SETTINGS;
    const { tag, unknown } = this.#declared;
    if (unknown.length > 0) throw new Error(`The settings ${unknown.join(', ')} ${UNREADABLE}`);
    // Records of before may lack what is set of other settings.
    if (before !== undefined && before.tag !== tag)
      throw new Error('The service was started with other settings during the export. Export again.');
  }

  #apply(event: WatchEvent): boolean {
    switch (event.type) {
      case 'reset':
        this.#db.exec('DELETE FROM guilds');
        this.#received = 0;
        return false;
      case 'guild':
        this.#add(event);
        return false;
      case 'guilds':
        for (const one of event.guilds) this.#add(one);
        return false;
      case 'removed':
        this.#drop.run(event.guild);
        return false;
      case 'live':
        return true;
      case 'declaration':
      case 'bookmark':
        return false;
    }
  }

  /** Adds a record with the settings in effect: where settings are declared, the event has those that are set. */
  #add({ revision, guild: { custom, ...guild } }: SnapshotGuild): void {
    const effective = this.#declared?.effective(fieldsOf({ ...guild, custom } as SettingsInput));
    this.#put.run(guild.id, JSON.stringify({ revision, guild: { ...guild, ...effective } }));
    this.#received += 1;
  }
}

const UNREADABLE = 'cannot be read by this version. Export with the version of the service.';

function unreadableText({ guild = 'without an id', revision, reason }: RejectedRecord): string {
  return `The record of guild ${guild} at revision ${revision} (${reason}) ${UNREADABLE}`;
}
