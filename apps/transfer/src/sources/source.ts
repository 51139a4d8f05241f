/** A row of a file: a value, with its key in a key-value store. */
export interface Entry<Value = unknown> {
  /** The place in the file, for messages, such as `line 12`. */
  readonly place: string;
  /** Undefined: the file has no keys. */
  readonly key?: string | undefined;
  readonly value: Value;
}

export interface UnreadableEntry {
  readonly place: string;
  readonly key?: string | undefined;
  readonly problem: string;
  readonly raw: unknown;
}

/** The rows of a file, in order, read lazily. */
export type Entries = AsyncIterable<Entry | UnreadableEntry> | Iterable<Entry | UnreadableEntry>;

/** Thrown when a file cannot be read or written. The message contains the expectation and the remedy. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
