import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { StoreUnavailableError } from '../store.ts';
import type { ErasureCipher, ErasureKind } from './erasure-cipher.ts';

export interface LedgerEntry {
  readonly id: string;
  readonly kind: ErasureKind;
  /** Keyed hash of the id of what was erased. */
  readonly hash: string;
  readonly at: number;
}

export interface SeenLedger {
  readonly id: string;
  readonly lines: number;
  readonly chain: string;
}

/** Thrown for a ledger that does not have what the database has seen. The message names the file, and what to do. */
export class UnusableLedgerError extends StoreUnavailableError {
  constructor(found: string) {
    super(
      `${found}. Put the newest copy of the ledger of this database in its place, or start once with --new to begin a new one: an older copy of the database then keeps what was erased since.`,
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
 * Lines of a ledger. The first one names the database, each other one is an erasure. Each has the keyed hash of itself and of
 * the line before: its chain.
 */
export class LedgerLines {
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

  /** All lines, as the database records them; undefined: there are none. */
  get seen(): SeenLedger | undefined {
    const chain = this.#chains.at(-1);
    if (this.#id === undefined || chain === undefined) return undefined;
    return { id: this.#id, lines: this.#chains.length, chain };
  }

  /**
   * Reads the next line of the file.
   * @throws UnusableLedgerError when it is of another database, or does not continue the line before
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

  /** Returns the lines to append for the erasures that it does not have, with a first line if there is none. */
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

  /** Compares it with what the database has seen. @throws UnusableLedgerError when a line of that is missing or another one */
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
