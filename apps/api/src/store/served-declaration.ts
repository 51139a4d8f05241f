/** The declaration that a database was served with last. */
export interface ServedDeclaration {
  readonly tag: string;
  /** The kinds of all settings that were ever declared, by field: `custom.xpRate`. */
  readonly kinds: Readonly<Record<string, string>>;
}

/** What a store knows of declarations. */
export interface DeclarationStore {
  /** Returns the declaration that the database was served with last; null: it was served without one. */
  readDeclaration(): Promise<ServedDeclaration | null>;
  recordDeclaration(declaration: ServedDeclaration): Promise<void>;
  /** Returns the number of guilds that have set each of these fields. Reads all guilds. */
  countSet(fields: readonly string[]): Promise<Readonly<Record<string, number>>>;
}
