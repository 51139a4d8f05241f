import { randomBytes } from 'node:crypto';
import { constants, existsSync, renameSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makePrivate, makePrivateFolder, syncFolder } from '@guild-settings/runtime/sqlite-file';
import { z } from 'zod';
import { StoreUnavailableError } from '../store.ts';
import type { ErasureCipher, LedgerEntry, SeenLedger } from './erasure-rows.ts';

/** The data of a database that its ledgers are compared with. */
export interface LedgerOwner {
  readonly databaseId: string;
  readonly ledgers: readonly SeenLedger[];
}

/** Access of a store to what its database has seen of ledgers. */
export interface LedgerRecord {
  /**
   * Runs work on the file of a ledger, excluding other processes of the database, and then stores what the database has
   * seen.
   */
  record(work: (owner: LedgerOwner) => Promise<SeenLedger | undefined>): Promise<void>;
  /** Deletes what the database has seen, so that it accepts any of its ledgers, or none. */
  forgetLedgers(): Promise<void>;
}

interface LedgerAccess {
  readonly record: LedgerRecord['record'];
  readonly cipher: ErasureCipher;
}

/**
 * Append-only file of requested erasures: keyed hashes and times, a line of JSON each. A line is flushed to disk before
 * its request is acknowledged. With the ledger, the erasures can be repeated on an older copy of the database. Several
 * processes of a database may append to it.
 *
 * A last line that was cut off by a crash or a full disk is ignored: its request was not acknowledged, and the database
 * has it. The next line replaces it.
 */
export class ErasureLedger {
  readonly #path: string;
  #lines: LedgerLines | undefined;
  #readBytes = 0;
  #syncedBytes = 0;
  #isCutOff = false;
  #appending: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = resolve(path);
  }

  get entries(): readonly LedgerEntry[] {
    return this.#lines?.entries ?? [];
  }

  /** True: the file ended in an incomplete line when it was last used. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /**
   * Reads what was appended since, appends missing erasures, and flushes them to disk. Creates a missing file, with
   * access for its owner only, if the database has never had a ledger.
   * @throws UnusableLedgerError when it lacks lines that the database has seen
   * @throws StoreUnavailableError when it cannot be read or written
   */
  append(entries: readonly LedgerEntry[], { record, cipher }: LedgerAccess): Promise<void> {
    const appending = this.#appending.then(() => record((owner) => this.#update(entries, owner, cipher)));
    this.#appending = appending.catch(() => {});
    return appending;
  }

  /** Renames the file, so that the next call of {@link append} begins a new one. */
  setAside(): void {
    renameSync(this.#path, `${this.#path}-before-${new Date().toISOString().replaceAll(':', '-')}`);
    this.#lines = undefined;
    this.#readBytes = 0;
    this.#syncedBytes = 0;
  }

  async #update(
    entries: readonly LedgerEntry[],
    { databaseId, ledgers }: LedgerOwner,
    cipher: ErasureCipher,
  ): Promise<SeenLedger | undefined> {
    try {
      this.#lines ??= new LedgerLines({ path: this.#path, databaseId, cipher });
      this.#prepare(ledgers.length > 0 || this.#readBytes > 0);
      const file = await open(this.#path, constants.O_RDWR | constants.O_APPEND);
      try {
        await this.#read(file, this.#lines);
        this.#lines.requireSeen(ledgers);
        await this.#write(file, this.#lines, entries);
      } finally {
        await file.close();
      }
      return this.#lines.seen;
    } catch (cause) {
      if (cause instanceof StoreUnavailableError) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new StoreUnavailableError(`The ledger of erasures ${this.#path} cannot be written: ${reason}`, { cause });
    }
  }

  #prepare(isExpected: boolean): void {
    const exists = existsSync(this.#path);
    if (!exists && isExpected)
      throw new UnusableLedgerError(`Expected the ledger of erasures of this database, found no file at ${this.#path}`);
    makePrivateFolder(dirname(this.#path));
    makePrivate(this.#path);
    if (!exists) syncFolder(dirname(this.#path));
  }

  async #read(file: FileHandle, lines: LedgerLines): Promise<void> {
    const { size } = await file.stat();
    if (size < this.#readBytes) {
      throw new UnusableLedgerError(
        `Expected the ledger of erasures ${this.#path} with at least ${this.#readBytes} bytes, found ${size}`,
      );
    }
    const stream = file.createReadStream({ start: this.#readBytes, autoClose: false });
    const bytes = Buffer.concat(await stream.toArray());
    const end = bytes.lastIndexOf('\n') + 1;
    this.#isCutOff = end < bytes.length;
    for (const line of bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1)) {
      lines.read(line);
      this.#readBytes += Buffer.byteLength(line) + 1;
    }
  }

  async #write(file: FileHandle, lines: LedgerLines, entries: readonly LedgerEntry[]): Promise<void> {
    const text = lines.missing(entries);
    if (text !== '') {
      if (this.#isCutOff) await file.truncate(this.#readBytes);
      await file.appendFile(text);
      await this.#read(file, lines);
    }
    // Flushes lines of other processes as well: such a process may have been killed before it flushed them.
    if (this.#syncedBytes === this.#readBytes) return;
    await file.sync();
    this.#syncedBytes = this.#readBytes;
  }
}

/** Thrown for a ledger that lacks lines that the database has seen. The message names the file and the remedy. */
export class UnusableLedgerError extends StoreUnavailableError {
  constructor(found: string) {
    super(
      `${found}. Restore the newest copy of the ledger of this database, or start once with --new to begin a new one: if the database is an older copy, it then keeps data that was erased since.`,
    );
  }
}

const FirstLine = z.strictObject({
  ledger: z.literal('erasures'),
  version: z.literal(1),
  database: z.string(),
  id: z.string().length(22),
  chain: z.string(),
});

const EntryLine = z.strictObject({
  id: z.string().length(22),
  kind: z.enum(['guild', 'person']),
  hash: z.string().length(43),
  at: z.iso.datetime(),
  chain: z.string(),
});

interface LedgerLinesOptions {
  readonly path: string;
  readonly databaseId: string;
  readonly cipher: Pick<ErasureCipher, 'chain'>;
}

/**
 * Lines of a ledger. The first one identifies the database; the others are erasures. Each has a keyed hash of itself
 * and of the line before: its chain.
 */
class LedgerLines {
  readonly #options: LedgerLinesOptions;
  readonly #entries = new Map<string, LedgerEntry>();
  readonly #chains: string[] = [];
  #id: string | undefined;

  constructor(options: LedgerLinesOptions) {
    this.#options = options;
  }

  get entries(): readonly LedgerEntry[] {
    return [...this.#entries.values()];
  }

  /** All lines, in the form recorded by the database; undefined: none. */
  get seen(): SeenLedger | undefined {
    const chain = this.#chains.at(-1);
    if (this.#id === undefined || chain === undefined) return undefined;
    return { id: this.#id, lines: this.#chains.length, chain };
  }

  /**
   * Reads the next line of the file.
   * @throws UnusableLedgerError when it belongs to another database, or does not continue the line before
   */
  read(line: string): void {
    const value = parsed(line);
    if (this.#id === undefined) {
      const first = FirstLine.safeParse(value).data;
      const { path, databaseId } = this.#options;
      if (first !== undefined && first.database !== databaseId) {
        throw new UnusableLedgerError(
          `Expected the ledger of erasures of the database ${databaseId}, found that of ${first.database} at ${path}`,
        );
      }
      this.#chains.push(this.#checked(first));
      this.#id = first?.id;
      return;
    }
    const entry = EntryLine.safeParse(value).data;
    this.#chains.push(this.#checked(entry));
    if (entry !== undefined) this.#entries.set(entry.id, entryOf(entry));
  }

  /** Returns the lines to append for erasures that the ledger lacks, with a first line if it has none. */
  missing(entries: readonly LedgerEntry[]): string {
    const added = entries.filter(({ id }) => !this.#entries.has(id)).map(contentOf);
    const lines = this.#id === undefined ? [this.#firstLine(), ...added] : added;
    let chain = this.#chains.at(-1) ?? '';
    return lines
      .map((content) => {
        chain = this.#options.cipher.chain(chain, JSON.stringify(content));
        return `${JSON.stringify({ ...content, chain })}\n`;
      })
      .join('');
  }

  /**
   * Compares the ledger with what the database has seen. @throws UnusableLedgerError when a seen line is missing or
   * different
   */
  requireSeen(ledgers: readonly SeenLedger[]): void {
    const { path } = this.#options;
    if (this.#id === undefined && ledgers.length > 0)
      throw new UnusableLedgerError(`Expected the ledger of erasures, found an empty file at ${path}`);
    const seen = ledgers.find(({ id }) => id === this.#id);
    if (seen === undefined) return;
    if (seen.lines > this.#chains.length) {
      throw new UnusableLedgerError(
        `Expected at least ${seen.lines} lines in the ledger of erasures ${path}, found ${this.#chains.length}`,
      );
    }
    if (seen.chain !== this.#chains[seen.lines - 1]) {
      throw new UnusableLedgerError(
        `Expected the line ${seen.lines} that the database has seen in the ledger of erasures ${path}, found another one`,
      );
    }
  }

  #firstLine() {
    const id = randomBytes(16).toString('base64url');
    return { ledger: 'erasures', version: 1, database: this.#options.databaseId, id } as const;
  }

  #checked(line: { readonly chain: string } | undefined): string {
    if (line !== undefined) {
      const { chain, ...content } = line;
      if (chain === this.#options.cipher.chain(this.#chains.at(-1) ?? '', JSON.stringify(content))) return chain;
    }
    throw new UnusableLedgerError(
      `Expected line ${this.#chains.length + 1} of the ledger of erasures ${this.#options.path} to continue the one before, found a changed line, or that one is missing`,
    );
  }
}

const entryOf = ({ id, kind, hash, at }: z.infer<typeof EntryLine>): LedgerEntry => ({
  id,
  kind,
  hash,
  at: Date.parse(at),
});

const contentOf = ({ id, kind, hash, at }: LedgerEntry) => ({ id, kind, hash, at: new Date(at).toISOString() });

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
