/** A row of a file: a value, and the key under which a key-value store keeps it. */
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

/** The rows of a file, in the order of the file. They are read when they are needed. */
export type Entries = AsyncIterable<Entry | UnreadableEntry> | Iterable<Entry | UnreadableEntry>;

/** Thrown when a file cannot be read at all, or cannot be written. The message says what was expected and what to do. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
