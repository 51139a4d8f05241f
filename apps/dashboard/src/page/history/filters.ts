import type { ChangedField, ChangeKind, HistoryInput } from '@guild-settings/contract';
import { CHANGED_FIELDS } from '@guild-settings/contract/constants';

const KINDS = ['settings', 'platform'] as const satisfies readonly ChangeKind[];

export interface HistoryFilters {
  readonly field?: ChangedField;
  readonly by?: string;
  readonly kind?: (typeof KINDS)[number];
}

const PART_SIZE = 25;

/** A Discord id: the form of the contract. */
const SNOWFLAKE = /^\d{17,20}$/;

/** Returns the filters of search parameters. What is no filter is left out, so that an old or a mistyped link has a page. */
export function filtersOf(search: Readonly<Record<string, unknown>>): HistoryFilters {
  const field = changedField(search.field);
  const kind = KINDS.find((known) => known === search.kind);
  const by = authorOf(search.by);
  return { ...(field && { field }), ...(by !== undefined && { by }), ...(kind && { kind }) };
}

/** Declared settings may be read later than the address. */
const DECLARED = /^custom\.[a-z]\w{0,31}$/;

export function changedField(name: unknown): ChangedField | undefined {
  const known = CHANGED_FIELDS.find((field) => field === name);
  return known ?? (typeof name === 'string' && DECLARED.test(name) ? (name as ChangedField) : undefined);
}

/** Returns the input of the request for a part of a history. `before`: from the part before. */
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

/** A router may have parsed an id in the address as a number, which has lost its last digits. */
function authorOf(value: unknown): string | undefined {
  return typeof value === 'string' && SNOWFLAKE.test(value) ? value : undefined;
}
