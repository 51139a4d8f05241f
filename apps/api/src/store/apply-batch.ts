import type { GuildId } from '@guild-settings/contract';
import { type ChangeRow, type GuildRow, rowOfChange, rowOfGuild } from './rows.ts';
import type { ApplyCommand, GuildWrite, StoreCommand, StoredGuild, WriteResult } from './store.ts';

/** Outcome of a command: its result, or what its interpretation threw. */
export type WriteOutcome = { readonly result: WriteResult } | { readonly refusal: unknown };

/** Rows to write in one transaction, and the outcomes of the commands that they come from. */
export interface AppliedBatch {
  /** One for each command, in their order. */
  readonly outcomes: readonly WriteOutcome[];
  /** The guilds that change, each once, in their final state. */
  readonly guilds: readonly GuildRow[];
  /** The log's new lines, one a revision. */
  readonly changes: readonly ChangeRow[];
  /** The newest revision after all of it. */
  readonly lastRevision: number;
}

/** Interpreter of commands, and the stored state inside the transaction that will write them. */
export interface BatchBase<Command extends StoreCommand> {
  readonly apply: ApplyCommand<Command>;
  readonly read: (guildId: GuildId) => StoredGuild | null;
  readonly lastRevision: number;
}

/**
 * Applies commands one after another, each to what those before it made of the guilds. A refused command writes nothing
 * and does not affect the others.
 */
export function applyBatch<Command extends StoreCommand>(
  commands: readonly Command[],
  { apply, read, lastRevision }: BatchBase<Command>,
): AppliedBatch {
  const current = new Map<GuildId, StoredGuild | null>();
  const changed = new Map<GuildId, GuildRow>();
  const changes: ChangeRow[] = [];
  let revision = lastRevision;
  const stateOf = (id: GuildId) => {
    const known = current.get(id);
    if (known !== undefined) return known;
    const stored = read(id);
    current.set(id, stored);
    return stored;
  };
  const outcomes = commands.map((command): WriteOutcome => {
    const { guildIds } = command;
    let writes: readonly { readonly id: GuildId; readonly write: GuildWrite }[];
    try {
      writes = guildIds.flatMap((id) => {
        const write = apply(command, stateOf(id), id);
        return write === null ? [] : [{ id, write }];
      });
    } catch (refusal) {
      return { refusal };
    }
    for (const { id, write } of writes) {
      revision += 1;
      const { at } = write.change;
      current.set(id, { ...write.next, id, revision, updatedAt: at });
      changed.set(id, rowOfGuild(id, write.next, revision, at));
      changes.push(rowOfChange(id, write.change, revision));
    }
    return { result: { guilds: guildIds.map(stateOf), written: writes.length, revision } };
  });
  return { outcomes, guilds: [...changed.values()], changes, lastRevision: revision };
}
