import { type Guild, type GuildPatch, type GuildSettings, ProblemError, settingsOf } from '@guild-settings/contract';
import type { ManagedGuild } from '../auth/managed-guild.ts';
import { type WritePermission, WritePermissionExpiredError } from '../auth/write-permission.ts';
import type { Clock } from '../clock.ts';
import type { Change, GuildStamp, GuildWrite, Store, StoredGuild } from '../store/store.ts';
import type { Precondition } from '../transport/headers/entity-tags.ts';
import type { ChangeLogBudget } from './change-log-budget.ts';
import { recordOf } from './record.ts';
import { RecordCache, type RenderedGuild, renderedOf } from './record-cache.ts';
import { UNTOUCHED } from './untouched-guild.ts';

/** A record and the revision it is of; 0 for a guild that nobody has changed yet. */
export interface GuildAtRevision {
  readonly guild: Guild;
  readonly revision: number;
}

/** What a change is to be done with: who, which way, why, and on which condition. */
export interface ChangeOptions extends Pick<Change, 'actor' | 'origin' | 'reason'> {
  readonly precondition: Precondition | undefined;
}

/** Reads and changes guilds for those who manage them. */
export class GuildService {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #budget: ChangeLogBudget;
  readonly #records = new RecordCache();

  constructor(store: Store, clock: Clock, budget: ChangeLogBudget) {
    this.#store = store;
    this.#clock = clock;
    this.#budget = budget;
  }

  /**
   * The record now. Reading writes nothing: a guild without a row has the defaults.
   * @param stamp what the store says of the guild in this request
   */
  async read(managed: ManagedGuild, stamp: GuildStamp | null): Promise<RenderedGuild> {
    const known = stamp && this.known(managed, stamp);
    if (known) return known;
    const stored = stamp && (await this.#store.read(managed.id));
    if (stored) return this.#records.render(managed, stored);
    return renderedOf(present(managed, null).guild, 0);
  }

  /** The record as of a stamp, where it was rendered before. */
  known(managed: ManagedGuild, stamp: GuildStamp): RenderedGuild | undefined {
    return this.#records.find(managed, stamp);
  }

  /**
   * Merges a patch into the record: omitted fields stay, arrays are replaced whole. A patch that sets what is there
   * already is a success without a new revision.
   * @returns the record after the change
   * @throws ProblemError revision-mismatch, with the record now, when the condition does not hold; change-log-full
   * @throws WritePermissionExpiredError when the permission's time was over before the write began
   */
  async update(
    { guild: managed, mayWriteUntilMs }: WritePermission,
    patch: GuildPatch,
    options: ChangeOptions,
  ): Promise<GuildAtRevision> {
    const { precondition, ...change } = options;
    const { nowMs, monotonicMs } = this.#clock;
    const { guilds } = await this.#store.write([managed.id], (current) => {
      if (monotonicMs() >= mayWriteUntilMs) throw new WritePermissionExpiredError();
      if (precondition && precondition(current?.revision ?? 0) !== 'go-ahead') {
        throw new ProblemError('revision-mismatch', { current: present(managed, current).guild });
      }
      const write = merge(current, patch, { ...change, at: nowMs() });
      if (write === null) return null;
      return { ...write, next: { ...write.next, logged: this.#budget.charge(write.next.logged, write.change) } };
    });
    return present(managed, guilds[0] ?? null);
  }
}

function present(managed: ManagedGuild, stored: StoredGuild | null): GuildAtRevision {
  return { revision: stored?.revision ?? 0, guild: recordOf(managed.id, stored, managed.profile) };
}

function merge(
  current: StoredGuild | null,
  patch: GuildPatch,
  change: Omit<Change, 'before' | 'after'>,
): GuildWrite | null {
  const state = current ?? UNTOUCHED;
  const wanted = settingsOf(patch);
  if (wanted.enabledFeatures) wanted.enabledFeatures = [...new Set(wanted.enabledFeatures)];
  const changed = (Object.keys(wanted) as (keyof GuildSettings)[]).filter(
    (name) => !isSame(wanted[name], state.settings[name]),
  );
  if (changed.length === 0) return null;
  const pick = (settings: Partial<GuildSettings>) => Object.fromEntries(changed.map((name) => [name, settings[name]]));
  return {
    next: { ...state, settings: { ...state.settings, ...wanted } },
    change: { ...change, before: pick(state.settings), after: pick(wanted) },
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
