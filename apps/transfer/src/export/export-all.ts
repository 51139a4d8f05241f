import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  TokenError,
  type TokenSource,
  UnexpectedResponseError,
  WatchRefusedError,
  watch,
} from '@guild-settings/client';
import {
  counted,
  DeclaredSettings,
  exportOf,
  fieldsOf,
  type Guild,
  type RejectedRecord,
  type SettingsInput,
  SPECIFIED_SETTINGS,
  type WatchEvent,
} from '@guild-settings/contract';
import { readTransferConfig } from '../config.ts';
import { messageOf, SourceError } from '../sources/source.ts';
import { temporaryDatabase } from '../temporary-database.ts';
import { showLines } from '../terminal.ts';

interface ExportCommand {
  /** Undefined: standard output. */
  readonly to: string | undefined;
  readonly json: boolean;
}

/** Exports all guilds of the configured service. Returns the text for the caller. */
export async function exportAll({ to, json }: ExportCommand, signal: AbortSignal): Promise<string> {
  const { apiUrl, token } = readTransferConfig();
  const { update: onProgress } = showLines((received) => `${counted(received, 'guild')} received`);
  using snapshot = await Snapshot.receive({ url: apiUrl, token, signal, onProgress });
  const exportedAtMs = Date.now();
  let guilds = 0;
  const lines = function* () {
    for (const { guild, revision } of snapshot.guilds()) {
      guilds += 1;
      yield `${JSON.stringify(exportOf({ guild, revision, exportedAtMs }))}\n`;
    }
  };
  if (to === undefined) await writeOutput(Readable.from(lines()), signal);
  else await writeNewFile(to, Readable.from(lines()), signal);
  return json ? JSON.stringify({ guilds, to }) : `Exported ${counted(guilds, 'guild')} to ${to}`;
}

async function writeOutput(lines: Readable, signal: AbortSignal): Promise<void> {
  try {
    await pipeline(lines, process.stdout, { end: false, signal });
  } catch (error) {
    signal.throwIfAborted();
    const expected = `Expected to write to standard output: ${messageOf(error)}.`;
    throw new SourceError(`${expected} Name a new file with --to, where there is room.`, { cause: error });
  }
}

/** Writes a new file with access for its owner only. An unfinished file is deleted. */
async function writeNewFile(path: string, lines: Readable, signal: AbortSignal): Promise<void> {
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  let isCreated = false;
  file.once('open', () => {
    isCreated = true;
  });
  try {
    await pipeline(lines, file, { signal });
  } catch (error) {
    if (isCreated) await rm(path, { force: true });
    signal.throwIfAborted();
    const expected = `Expected to write a new file at ${path}: ${messageOf(error)}.`;
    throw new SourceError(`${expected} Name another one with --to.`, { cause: error });
  }
}

interface SnapshotGuild {
  readonly revision: number;
  readonly guild: Guild;
}

interface SnapshotOptions {
  readonly url: string;
  readonly token: TokenSource;
  readonly signal: AbortSignal;
  readonly onProgress: (received: number) => void;
}

/** Maximum consecutive failed connections. */
const MAX_FAILURES = 8;

/**
 * The records of all guilds, as sent at the start of a watch. After a lost connection the watch resumes, and sends
 * guilds again that have changed since, so records are collected in a temporary database.
 */
export class Snapshot implements Disposable {
  readonly #db = temporaryDatabase('guilds (guild TEXT PRIMARY KEY, record TEXT NOT NULL) WITHOUT ROWID');
  readonly #put = this.#db.prepare<[string, string]>('INSERT OR REPLACE INTO guilds (guild, record) VALUES (?, ?)');
  readonly #drop = this.#db.prepare<[string]>('DELETE FROM guilds WHERE guild = ?');
  #received = 0;
  #declared: DeclaredSettings | undefined;

  /**
   * Receives all records.
   * @throws WatchRefusedError, TokenError, the last error of failed connections, an Error for an unreadable record or
   * for a declaration that has changed meanwhile, or the reason of the signal
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

  /** Reads the declaration of the service from the first event of a stream. */
  #begin(event: WatchEvent): void {
    const before = this.#declared;
    this.#declared =
      event.type === 'declaration' ? new DeclaredSettings(event.declaration, event.tag) : SPECIFIED_SETTINGS;
    const { tag, unknown } = this.#declared;
    if (unknown.length > 0) throw new Error(`The settings ${unknown.join(', ')} ${UNREADABLE}`);
    // Earlier records may lack the set values of other settings.
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

  /** Adds a record with the effective settings: if settings are declared, the event only has set values. */
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
