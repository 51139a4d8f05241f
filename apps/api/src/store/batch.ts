import type { GuildId } from '@guild-settings/contract';
import type { ErasureCipher } from './erasure/erasure-cipher.ts';
import { type BatchErasure, rowOfErasure, rowOfErasureLine } from './erasure/erasure-rows.ts';
import { type ChangeRow, type GuildRow, guildOf, rowOfChange, rowOfGuild } from './rows.ts';
import type {
  ApplyCommand,
  GuildErasure,
  GuildWrite,
  StoreCommand,
  StoredGuild,
  WriteOutcome,
  WriteTarget,
} from './store.ts';

/** Rows to write in one transaction, and the outcomes of their commands. */
export interface AppliedBatch {
  readonly outcomes: readonly WriteOutcome[];
  readonly guilds: readonly GuildRow[];
  readonly created: ReadonlySet<GuildId>;
  /** The log's new lines, one a revision. Those of a guild that is erased after them are left out. */
  readonly changes: readonly ChangeRow[];
  /** The guilds to delete before the others are written. */
  readonly erasures: readonly BatchErasure[];
  /** Changes below the oldest revision of the log that were kept as the newest of their guilds, and are not any more. */
  readonly superseded: readonly number[];
  readonly lastRevision: number;
}

/** Interpreter of commands, and the stored state inside the transaction that will write them. */
export interface BatchBase<Command extends StoreCommand> {
  readonly apply: ApplyCommand<Command>;
  readonly read: (guildId: GuildId) => StoredGuild | null;
  readonly wasPresent: (guildId: GuildId) => boolean;
  readonly cipher: ErasureCipher;
  readonly lastRevision: number;
  readonly oldestRevision: number;
  /** The mark of the present epoch. */
  readonly epoch: string;
}

interface AppliedWrite {
  readonly id: GuildId;
  readonly write: GuildWrite | GuildErasure;
}

/**
 * Applies commands one after another, each to what those before it made of the guilds. A refused command writes nothing
 * and does not affect the others.
 */
export function applyBatch<Command extends StoreCommand>(
  commands: readonly Command[],
  base: BatchBase<Command>,
): AppliedBatch {
  const batch = new Batch(base);
  const outcomes = commands.map((command): WriteOutcome => {
    const { guildIds } = command;
    const writes: AppliedWrite[] = [];
    try {
      for (const id of guildIds) {
        const write = base.apply(command, batch.targetOf(id));
        if (write !== null) writes.push({ id, write });
      }
    } catch (refusal) {
      return { refusal };
    }
    for (const { id, write } of writes) {
      if ('erasedAt' in write) batch.erase(id, write);
      else batch.write(id, write);
    }
    return {
      result: {
        guilds: guildIds.map((id) => batch.stateOf(id)),
        written: writes.length,
        changes: writes.flatMap(({ write }) => ('erasedAt' in write ? [] : [write.change])),
        revision: batch.lastRevision,
      },
    };
  });
  return batch.applied(outcomes);
}

/** The state of guilds inside a write transaction, and the rows to write. */
class Batch {
  readonly #base: Omit<BatchBase<never>, 'apply'>;
  readonly #current = new Map<GuildId, StoredGuild | null>();
  readonly #before = new Map<GuildId, number>();
  readonly #changed = new Map<GuildId, GuildRow>();
  readonly #created = new Set<GuildId>();
  readonly #erasures: BatchErasure[] = [];
  readonly #erasedPresence = new Map<GuildId, boolean>();
  #changes: ChangeRow[] = [];
  lastRevision: number;

  constructor(base: Omit<BatchBase<never>, 'apply'>) {
    this.#base = base;
    this.lastRevision = base.lastRevision;
  }

  stateOf(id: GuildId): StoredGuild | null {
    const known = this.#current.get(id);
    if (known !== undefined) return known;
    const stored = this.#base.read(id);
    this.#current.set(id, stored);
    if (stored !== null) this.#before.set(id, stored.revision);
    return stored;
  }

  targetOf(guildId: GuildId): WriteTarget {
    const wasPresent = () => this.#erasedPresence.get(guildId) ?? this.#base.wasPresent(guildId);
    return { guildId, stored: this.stateOf(guildId), wasPresent };
  }

  write(id: GuildId, { next, change, isOfAccess = false }: GuildWrite): void {
    this.lastRevision += 1;
    const revision = this.lastRevision;
    const before = this.stateOf(id);
    const row = rowOfGuild(id, next, {
      revision: isOfAccess ? (before?.revision ?? 0) : revision,
      accessRevision: isOfAccess ? revision : before?.accessRevision || null,
      updatedAt: isOfAccess ? (before?.updatedAt ?? change.at) : change.at,
    });
    if (before === null) this.#created.add(id);
    const { record = '', access = '' } = before?.epochs ?? {};
    const { epoch } = this.#base;
    this.#current.set(id, guildOf(row, isOfAccess ? { record, access: epoch } : { record: epoch, access }));
    this.#changed.set(id, row);
    this.#changes.push(rowOfChange(id, change, revision));
  }

  /** Erases a guild. Where nothing is stored there is nothing to log. */
  erase(id: GuildId, { erasedAt: at }: GuildErasure): void {
    const { cipher } = this.#base;
    const stored = this.stateOf(id);
    if (stored !== null) this.lastRevision += 1;
    const revision = this.lastRevision;
    const row = rowOfErasure('guild', id, { cipher, stored, at, revision });
    this.#current.set(id, null);
    if (stored !== null) this.#erasedPresence.set(id, row.wasPresent);
    this.#changed.delete(id);
    this.#changes = this.#changes.filter(({ guildId }) => guildId !== id);
    this.#erasures.push({ guildId: id, hadState: stored !== null, row });
    if (stored !== null) this.#changes.push(rowOfErasureLine(cipher.seal(id), { at, revision, by: 'request' }));
  }

  applied(outcomes: readonly WriteOutcome[]): AppliedBatch {
    const superseded = [...this.#changed.values()].flatMap(({ id, revision: after }) => {
      const revision = this.#before.get(id);
      return revision !== undefined && revision !== after && revision < this.#base.oldestRevision ? [revision] : [];
    });
    return {
      outcomes,
      guilds: [...this.#changed.values()],
      created: this.#created,
      changes: this.#changes,
      erasures: this.#erasures,
      superseded,
      lastRevision: this.lastRevision,
    };
  }
}
