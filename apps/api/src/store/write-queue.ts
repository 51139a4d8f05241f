import { setImmediate } from 'node:timers/promises';
import type { GuildId } from '@guild-settings/contract';
import { type BatchErasure, type ErasureCipher, rowOfErasure, rowOfErasureLine } from './erasure/erasure-rows.ts';
import type {
  ApplyCommand,
  GuildErasure,
  GuildWrite,
  StoreCommand,
  StoredGuild,
  WriteOutcome,
  WriteResult,
  WriteTarget,
} from './guild-store.ts';
import { type ChangeRow, type GuildRow, guildOf, rowOfChange, rowOfGuild } from './rows.ts';
import { StoreUnavailableError } from './store.ts';

const MAX_BATCH_GUILDS = 200;

const MAX_WAITING = 10_000;

/**
 * Writes a batch of commands in one transaction. `take` returns the batch, the same one at each call; the later the
 * first call, the more commands it contains. Rejects when nothing of it was written, or when the outcome is unknown.
 */
export type Commit<Command> = (take: () => readonly Command[]) => Promise<readonly WriteOutcome[]>;

interface Waiting<Command> {
  readonly commands: readonly Command[];
  readonly resolve: (outcomes: readonly WriteOutcome[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Write queue of a process: one transaction at a time, with all the commands that arrived during the previous one, so
 * that many share the cost of a commit. A write never resolves before its commit.
 */
export class WriteQueue<Command extends StoreCommand> {
  readonly #commit: Commit<Command>;
  readonly #isBlocking: boolean;
  readonly #waiting: Waiting<Command>[] = [];
  #running: Promise<void> | undefined;

  /**
   * @param isBlocking true: a commit blocks the event loop; otherwise the next batch gathers during this one's commit
   */
  constructor(commit: Commit<Command>, { isBlocking }: { readonly isBlocking: boolean }) {
    this.#commit = commit;
    this.#isBlocking = isBlocking;
  }

  /** Resolves when the command is committed. Rejects with an error of its interpretation or of the commit. */
  async write(command: Command): Promise<WriteResult> {
    const [outcome] = await this.writeAll([command]);
    if (outcome === undefined) throw new Error('Expected an outcome for each write');
    if ('refusal' in outcome) throw outcome.refusal;
    return outcome.result;
  }

  /** Resolves when the commands are committed in one transaction. Rejects with an error of the commit. */
  writeAll(commands: readonly Command[]): Promise<readonly WriteOutcome[]> {
    if (this.#waiting.length >= MAX_WAITING) {
      return Promise.reject(new StoreUnavailableError('too many writes are waiting'));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ commands, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (this.#isBlocking) await this.#gather();
      await this.#writeBatch();
    }
    this.#running = undefined;
  }

  /** Waits as long as each turn of the event loop adds commands, which then share a commit. */
  async #gather(): Promise<void> {
    for (let before = 0; before < this.#waiting.length && before < MAX_BATCH_GUILDS; ) {
      before = this.#waiting.length;
      await setImmediate();
    }
  }

  /** Counts the waiting commands that fit into one transaction, which must stay short if commands name many guilds. */
  #fitting(): number {
    let guilds = 0;
    const tooMany = this.#waiting.findIndex(({ commands }) => {
      for (const { guildIds } of commands) guilds += guildIds.length;
      return guilds > MAX_BATCH_GUILDS;
    });
    return tooMany < 0 ? this.#waiting.length : Math.max(1, tooMany);
  }

  async #writeBatch(): Promise<void> {
    let batch: readonly Waiting<Command>[] | undefined;
    const take = () => {
      batch ??= this.#waiting.splice(0, this.#fitting());
      return batch;
    };
    try {
      const outcomes = await this.#commit(() => take().flatMap(({ commands }) => commands));
      let done = 0;
      for (const { commands, resolve } of take()) {
        resolve(outcomes.slice(done, done + commands.length));
        done += commands.length;
      }
    } catch (error) {
      for (const { reject } of take()) reject(error);
    }
  }
}

/** Rows to write in one transaction, and the outcomes of their commands. */
export interface AppliedBatch {
  readonly outcomes: readonly WriteOutcome[];
  readonly guilds: readonly GuildRow[];
  readonly created: ReadonlySet<GuildId>;
  /** The new lines of the log, one per revision, without those of guilds that are erased later in the batch. */
  readonly changes: readonly ChangeRow[];
  /** The guilds to delete before the others are written. */
  readonly erasures: readonly BatchErasure[];
  /** Changes below the oldest revision of the log that were kept as the newest of their guilds, and no longer are. */
  readonly superseded: readonly number[];
  readonly lastRevision: number;
}

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
 * Applies commands one after another, each to the result of the previous ones. A refused command writes nothing and
 * does not affect the others.
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

  /** Erases a guild. Nothing is logged if nothing is stored. */
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
