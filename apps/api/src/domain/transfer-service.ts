import {
  type DeclaredSettings,
  type ExportedHistory,
  exportOf,
  type FieldPatch,
  fieldsOf,
  type GuildExport,
  type GuildId,
  type HistoryEntry,
  type ImportDocument,
  type ImportResult,
  isOfGuild,
  isSameValue,
  LIMITS,
  ProblemError,
  type SettingValue,
  type SetValues,
  type SkippedField,
  stored,
  unknownFieldsOf,
} from '@guild-settings/contract';
import { BulkheadRejectedError, bulkhead } from 'cockatiel';
import type { GuildAccess } from '../auth/guild-access.ts';
import type { Clock } from '../clock.ts';
import type { StoredGuild } from '../store/guild-store.ts';
import { type ChangeLog, entryOf, fieldChanges, type LogReader } from './change-log.ts';
import type { WritePermission } from './command.ts';
import type { ChangeOptions, GuildService } from './guild-service.ts';
import { DEFAULT_STATE, type Records } from './record.ts';
import { isReserved, skipped, skippedSetting } from './setting-rules.ts';

/** Maximum number of imports into several guilds that wait for the running one. */
const MAX_WAITING_IMPORTS = 50;

interface TransferParts {
  readonly log: ChangeLog;
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

  /**
   * Returns the export of a guild with its access list and its history. @param reader the reader whose limits apply to
   * the history
   */
  async exportAll(guild: GuildAccess<'manage'>, stored: StoredGuild | null, reader: LogReader): Promise<GuildExport> {
    const document = this.export(guild, stored);
    const revision = Math.max(document.revision, stored?.accessRevision ?? 0);
    const history = await exportedHistory(this.#parts.log, { guildId: guild.id, revision }, reader);
    return { ...document, access: [...(stored?.access ?? [])], history };
  }

  /**
   * Imports a document as one change. Skips fields that cannot exist in the guild, and those that the caller may not
   * set.
   * @param options.isPreview true: the change is not made
   * @throws the errors of {@link GuildService.update}
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
    return { revision, changes: fieldChanges(change, records.settings), skipped, guild };
  }

  /** Removes from an import what the caller may not set, and lists those fields that would have changed. */
  async permitted(
    guild: GuildAccess,
    patch: FieldPatch,
    { mayReserved }: Pick<ChangeOptions, 'mayReserved'>,
  ): Promise<ImportPlan> {
    const { guilds, records } = this.#parts;
    if (mayReserved || reservedIn(patch, records.settings).length === 0) return { patch, skipped: [] };
    const { settings: set } = (await guilds.find(guild)) ?? DEFAULT_STATE;
    return withoutReserved(patch, set, records.settings);
  }

  /**
   * Runs an import into several guilds after those before it. Each guild is one transaction; other requests are served
   * in between.
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

export interface ImportPlan {
  readonly patch: FieldPatch;
  readonly skipped: SkippedField[];
}

/** Plans the import of a document into a guild: fields that cannot exist there are skipped and listed. */
function planImport(
  { access, history, ...document }: ImportDocument,
  guildId: GuildId,
  settings: DeclaredSettings,
): ImportPlan {
  const unknown = unknownFieldsOf(document, settings);
  const entries = Object.entries(fieldsOf(document.settings)).filter(([field]) => settings.byField.has(field));
  const isOther = document.guild !== guildId;
  const foreign = entries.flatMap(([field, value]) => {
    const setting = isOther ? settings.byField.get(field) : undefined;
    return setting !== undefined && value !== null && isOfGuild(setting, value) ? [{ field, setting, value }] : [];
  });
  return {
    patch: Object.fromEntries(entries.filter(([field]) => !foreign.some((one) => one.field === field))),
    skipped: [
      ...foreign.map(({ field, setting, value }) => skippedSetting('other-guild', setting, value, field)),
      ...unknown.map(({ path, value }) => skipped('unknown-field', path, value)),
      ...(access === undefined ? [] : [skipped('access', ['access'])]),
      ...(history === undefined ? [] : [skipped('history', ['history'])]),
    ],
  };
}

function reservedIn(patch: FieldPatch, { byField }: DeclaredSettings) {
  return Object.entries(patch).flatMap(([field, value]) => {
    const setting = byField.get(field);
    return setting !== undefined && isReserved(setting) ? [{ field, setting, value }] : [];
  });
}

/** Removes the reserved settings from a patch, and lists those that it would change. */
function withoutReserved(patch: FieldPatch, set: SetValues, settings: DeclaredSettings): ImportPlan {
  const plan = { patch: { ...patch } as Record<string, SettingValue | null>, skipped: [] as SkippedField[] };
  for (const { field, setting, value } of reservedIn(patch, settings)) {
    delete plan.patch[field];
    const isThere =
      value === null
        ? set[setting.field] === undefined
        : isSameValue(stored(setting, value), settings.valueOf(set, setting), setting);
    if (!isThere) plan.skipped.push(skippedSetting('reserved', setting, value, field));
  }
  return plan;
}

interface HistoryUpTo {
  readonly guildId: GuildId;
  readonly revision: number;
}

/** Returns the history of a guild up to a revision, newest change first, up to the limits of an export. */
async function exportedHistory(
  log: ChangeLog,
  { guildId, revision }: HistoryUpTo,
  reader: LogReader,
): Promise<ExportedHistory> {
  const entries: HistoryEntry[] = [];
  let bytes = 0;
  const after = await log.erasedUpTo(guildId);
  const upTo = { guildId, after, before: revision + 1, order: 'newest-first' } as const;
  await log.walk({ reader, ...upTo }, (lines) => {
    for (const entry of lines.map((line) => entryOf(line, log.settings))) {
      bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
      if (bytes > LIMITS.exportedHistoryBytes) return true;
      entries.push(entry);
    }
    return false;
  });
  if (bytes <= LIMITS.exportedHistoryBytes) return { entries, complete: true };
  const before = entries.at(-1)?.revision ?? upTo.before;
  return { entries, complete: false, next: `/guilds/${guildId}/history?before=${before}` };
}
