import {
  exportOf,
  type FieldPatch,
  type GuildExport,
  type ImportDocument,
  type ImportResult,
  ProblemError,
} from '@guild-settings/contract';
import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { WritePermission } from '../auth/write-permission.ts';
import type { Clock } from '../clock.ts';
import type { StoredGuild } from '../store/guild-store.ts';
import { DEFAULT_STATE } from './default-state.ts';
import { exportedHistory } from './exported-history.ts';
import type { ChangeOptions, GuildService } from './guild-service.ts';
import { fieldChanges } from './history-entry.ts';
import { type ImportPlan, namesReserved, planImport, withoutReserved } from './import-plan.ts';
import type { Records } from './record.ts';
import type { LogReader, LogStore } from './walk-log.ts';

/** Imports into many guilds that wait for the one that is running. */
const MAX_WAITING_IMPORTS = 50;

interface TransferParts {
  readonly store: LogStore;
  readonly guilds: GuildService;
  readonly records: Records;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export class TransferService {
  readonly #parts: TransferParts;
  readonly #turns = bulkhead(1, MAX_WAITING_IMPORTS);

  constructor(parts: TransferParts) {
    this.#parts = parts;
  }

  export(guild: GuildAccess, stored: StoredGuild | null): GuildExport {
    const { clock, records } = this.#parts;
    return exportOf({ ...records.at(guild, stored), exportedAtMs: clock.nowMs() });
  }

  /** Returns the export of a guild with its access list and its history. @param reader for whom the history is read */
  async exportAll(guild: GuildAccess<'manage'>, stored: StoredGuild | null, reader: LogReader): Promise<GuildExport> {
    const document = this.export(guild, stored);
    const revision = Math.max(document.revision, stored?.accessRevision ?? 0);
    const history = await exportedHistory(this.#parts.store, { guildId: guild.id, revision }, reader);
    return { ...document, access: [...(stored?.access ?? [])], history };
  }

  /**
   * Imports a document as one change. Fields that cannot exist in the guild, and those that the caller may not set, are left alone.
   * @param options.isPreview whether the change is not made
   * @throws what {@link GuildService.update} throws
   */
  async import(
    permission: WritePermission,
    document: ImportDocument,
    { isPreview, ...options }: ChangeOptions & { readonly isPreview: boolean },
  ): Promise<ImportResult> {
    const { guilds, records } = this.#parts;
    const plan = planImport(document, permission.guild.id, records.settings);
    const { patch, skipped: reserved } = await this.permitted(permission.guild, plan.patch, options);
    const skipped = [...plan.skipped, ...reserved];
    if (isPreview) return { ...(await guilds.preview(permission, patch, options)), skipped };
    const { guild, revision, change } = await guilds.update(permission, patch, options);
    return { revision, changes: fieldChanges(change), skipped, guild };
  }

  /** Leaves out of an import what the caller may not set, and names what of it would change. */
  async permitted(
    guild: GuildAccess,
    patch: FieldPatch,
    { mayReserved }: Pick<ChangeOptions, 'mayReserved'>,
  ): Promise<ImportPlan> {
    const { guilds, records } = this.#parts;
    if (mayReserved || !namesReserved(patch, records.settings)) return { patch, skipped: [] };
    const { settings: set } = (await guilds.find(guild)) ?? DEFAULT_STATE;
    return withoutReserved(patch, set, records.settings);
  }

  /**
   * Runs an import into many guilds when those before it are complete. Each is one transaction, between which other requests
   * are served.
   * @throws ProblemError store-unavailable when too many imports wait; nothing was imported
   */
  async inTurn<T>(importRows: () => Promise<T>): Promise<T> {
    try {
      return await this.#turns.execute(importRows);
    } catch (error) {
      if (error instanceof BulkheadRejectedError) throw new ProblemError('store-unavailable', { retryAfter: 1 });
      throw error;
    }
  }
}
