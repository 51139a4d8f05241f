export interface ServedDeclaration {
  readonly tag: string;
  /** The kinds of all settings that were ever declared, by field: `custom.xpRate`. */
  readonly kinds: Readonly<Record<string, string>>;
}

export interface DeclarationStore {
  readDeclaration(): Promise<ServedDeclaration | null>;
  recordDeclaration(declaration: ServedDeclaration): Promise<void>;
  /** Returns the number of guilds that have set each of these fields. Reads all guilds. */
  countSet(fields: readonly string[]): Promise<Readonly<Record<string, number>>>;
}
