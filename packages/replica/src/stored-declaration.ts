import { type Declaration, DeclaredSettings } from '@guild-settings/contract/settings';
import { placeholders, type ReplicaDatabase } from './database.ts';
import { declaration as table } from './schema.ts';

/** A declaration of the service, and the tag that it has there. */
export interface TaggedDeclaration {
  readonly tag: string;
  readonly declaration: Declaration;
}

/** The declaration of the service in the replica's file; undefined: nothing beside the specified settings. */
export function storedDeclaration(db: ReplicaDatabase) {
  const clear = db.delete(table).prepare();
  const put = db.insert(table).values(placeholders(table)).prepare();
  return {
    load(): DeclaredSettings | undefined {
      const row = db.select().from(table).get();
      return row && new DeclaredSettings(JSON.parse(row.declaration), row.tag);
    },
    write(sent: TaggedDeclaration | undefined): void {
      clear.run();
      if (sent !== undefined) put.run({ tag: sent.tag, declaration: JSON.stringify(sent.declaration) });
    },
  };
}
