import { constants, existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makePrivate, makePrivateFolder, syncFolder } from '@guild-settings/sqlite-file';
import { z } from 'zod';
import { StoreUnavailableError } from '../store.ts';
import type { ErasureKind } from './erasure-cipher.ts';

/** An erasure, as the ledger records it. */
export interface LedgerEntry {
  readonly id: string;
  readonly kind: ErasureKind;
  /** Keyed hash of the id of what was erased. */
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An erasure of the ledger, and the key of its hash. */
export interface KeyedEntry extends LedgerEntry {
  readonly key: string;
}

/** The hashes of the lines after a line with a key are made with it. */
const KeyLine = z.object({ ledger: z.literal('erasures'), version: z.literal(1), key: z.string().length(43) });

const EntryLine = z.object({
  id: z.string().length(22),
  kind: z.enum(['guild', 'person']),
  hash: z.string().length(43),
  at: z.iso.datetime().transform((time) => Date.parse(time)),
});

/**
 * Append-only file of the erasures that were requested: keyed hashes and times, one line of JSON each. A line is on the disk
 * before the request is acknowledged. With it, an older copy of the database can be erased again.
 *
 * A line that was cut off, by a crash or a full disk, is skipped: its request was not acknowledged, and the database has it.
 */
export class ErasureLedger {
  readonly #path: string;
  readonly #entries = new Map<string, KeyedEntry>();
  #key: string | undefined;
  #damagedLines = 0;
  #appending: Promise<void> = Promise.resolve();
  #exists: boolean;

  /**
   * Reads a ledger. The first lines create a missing one, with access for its owner only.
   * @throws StoreUnavailableError when it cannot be read, or has lines without a key
   */
  constructor(path: string) {
    this.#path = resolve(path);
    try {
      this.#exists = existsSync(this.#path);
      if (!this.#exists) return;
      makePrivate(this.#path);
      const lines = readFileSync(this.#path, 'utf8').split('\n');
      for (const [index, line] of lines.entries()) if (line !== '') this.#read(line, index + 1);
    } catch (error) {
      throw error instanceof StoreUnavailableError ? error : this.#failure('opened', error);
    }
  }

  /** The newest key; undefined: the ledger is empty. */
  get key(): string | undefined {
    return this.#key;
  }

  get entries(): readonly KeyedEntry[] {
    return [...this.#entries.values()];
  }

  /** Number of lines that cannot be read. */
  get damagedLines(): number {
    return this.#damagedLines;
  }

  /**
   * Appends the erasures of a database that it does not have, as {@link append} does, before the database is used.
   * @throws StoreUnavailableError when it cannot be written
   */
  async complete(entries: readonly LedgerEntry[], key: string): Promise<void> {
    await this.append(entries, key).catch((error: unknown) => {
      throw this.#failure('written', error);
    });
  }

  /** Appends the erasures that it does not have, and flushes them to the disk. @param key key of their hashes */
  append(entries: readonly LedgerEntry[], key: string): Promise<void> {
    const appending = this.#appending.then(() => this.#append(entries, key));
    this.#appending = appending.catch(() => {});
    return appending;
  }

  #failure(what: 'opened' | 'written', cause: unknown): StoreUnavailableError {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new StoreUnavailableError(`The ledger of erasures ${this.#path} cannot be ${what}: ${reason}`, { cause });
  }

  #read(line: string, number: number): void {
    const value = parsed(line);
    const keyLine = KeyLine.safeParse(value).data;
    if (keyLine !== undefined) {
      this.#key = keyLine.key;
      return;
    }
    const entry = EntryLine.safeParse(value).data;
    if (entry === undefined) this.#damagedLines += 1;
    else if (this.#key !== undefined) this.#entries.set(entry.id, { ...entry, key: this.#key });
    else {
      throw new StoreUnavailableError(
        `Expected a key before line ${number} of the ledger of erasures ${this.#path}, found none. Put a copy of the whole file in its place.`,
      );
    }
  }

  async #append(entries: readonly LedgerEntry[], key: string): Promise<void> {
    const missing = entries.filter(({ id }) => !this.#entries.has(id));
    const isNewKey = key !== this.#key;
    if (missing.length === 0 && !isNewKey) return;
    const lines = [
      ...(isNewKey ? [{ ledger: 'erasures', version: 1, key }] : []),
      ...missing.map(({ id, kind, hash, at }) => ({ id, kind, hash, at: new Date(at).toISOString() })),
    ].map((line) => `${JSON.stringify(line)}\n`);
    if (!this.#exists) this.#create();
    await this.#write(lines.join(''));
    this.#key = key;
    for (const entry of missing) this.#entries.set(entry.id, { ...entry, key });
  }

  #create(): void {
    makePrivateFolder(dirname(this.#path));
    makePrivate(this.#path);
    syncFolder(dirname(this.#path));
    this.#exists = true;
  }

  /** Writes lines at the end. Does not create the file: a new one would lack the earlier lines. */
  async #write(lines: string): Promise<void> {
    const file = await open(this.#path, constants.O_RDWR | constants.O_APPEND);
    try {
      const { size } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
      // The last line was cut off.
      const isCutOff = size > 0 && buffer.toString() !== '\n';
      await file.appendFile(isCutOff ? `\n${lines}` : lines);
      await file.sync();
    } finally {
      await file.close();
    }
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
