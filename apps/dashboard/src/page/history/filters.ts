import type { ChangedField, ChangeKind, HistoryInput } from '@guild-settings/contract';
import { CHANGED_FIELDS } from '@guild-settings/contract/constants';

const KINDS = ['settings', 'platform'] as const satisfies readonly ChangeKind[];

export interface HistoryFilters {
  readonly field?: ChangedField;
  readonly by?: string;
  readonly kind?: (typeof KINDS)[number];
}

const PART_SIZE = 25;

/** A Discord id in the contract's form. */
const SNOWFLAKE = /^\d{17,20}$/;

/** Returns the filters in search parameters. Invalid ones are ignored, so that an old or mistyped link still opens. */
export function filtersOf(search: Readonly<Record<string, unknown>>): HistoryFilters {
  const field = changedField(search.field);
  const kind = KINDS.find((known) => known === search.kind);
  const by = authorOf(search.by);
  return { ...(field && { field }), ...(by !== undefined && { by }), ...(kind && { kind }) };
}

/** Declared settings may be loaded after the URL is parsed. */
const DECLARED = /^custom\.[a-z]\w{0,31}$/;

export function changedField(name: unknown): ChangedField | undefined {
  const known = CHANGED_FIELDS.find((field) => field === name);
  return known ?? (typeof name === 'string' && DECLARED.test(name) ? (name as ChangedField) : undefined);
}

/** Returns the input of a history request. `before`: from the previous part. */
export function queryOf(guild: string, { field, by, kind }: HistoryFilters, before?: number): HistoryInput {
  return {
    guild,
    limit: PART_SIZE,
    ...(field && { field }),
    ...(by !== undefined && { actor: by }),
    ...(kind && { kind }),
    ...(before !== undefined && { before }),
  };
}

export function isFiltered(filters: HistoryFilters): boolean {
  return Object.keys(filters).length > 0;
}

/** A router may have parsed an id in the URL as a number, losing its last digits. */
function authorOf(value: unknown): string | undefined {
  return typeof value === 'string' && SNOWFLAKE.test(value) ? value : undefined;
}
