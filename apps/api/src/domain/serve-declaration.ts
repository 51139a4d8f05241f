import { CUSTOM, counted, type DeclaredSettings, type Setting } from '@guild-settings/contract';
import type { DeclarationStore, ServedDeclaration } from '../store/store.ts';

/** Thrown at start for a declaration with which stored values would lose their effect. */
export class ChangedKindError extends Error {
  override readonly name = 'ChangedKindError';

  constructor(losses: readonly ValueLoss[]) {
    const lines = losses.map(({ field, why, wayOut }) => `- ${field}: ${why}. ${wayOut}.`);
    super(`With this declaration, values that guilds have set would lose their effect:\n${lines.join('\n')}`);
  }
}

/** Stored values that a declaration does not accept. */
export interface ValueLoss {
  /** The setting, by its current name. */
  readonly field: string;
  /** The field in storage whose values are lost. */
  readonly lost: string;
  readonly why: string;
  readonly wayOut: string;
}

/** Returns the kind of a setting in recorded form: `role`, `list of role`, `table(count: integer, action: choice)`. */
export function kindOf({ declared, many, columns }: Setting): string {
  if (columns !== undefined) return tableOf(columns.map(({ name, declared: { kind } }) => [name, kind]));
  return many === undefined ? declared.kind : `${LIST}${declared.kind}`;
}

const LIST = 'list of ';

function tableOf(columns: Iterable<readonly [name: string, kind: string]>): string {
  return `table(${[...columns].map((column) => column.join(': ')).join(', ')})`;
}

/** Returns the column kinds of a table by name; undefined: not a table. */
function columnsIn(kind: string): ReadonlyMap<string, string> | undefined {
  const [, columns] = /^table\((.*)\)$/.exec(kind) ?? [];
  return columns === undefined
    ? undefined
    : new Map(columns.split(', ').map((one) => one.split(': ') as [string, string]));
}

/**
 * Returns true if values of one kind stay in effect in a setting of another kind: the kinds are equal, or the new kind
 * is a list of the old, or both are numbers.
 */
function keepsValues(from: string, to: string): boolean {
  const [before, after] = [columnsIn(from), columnsIn(to)];
  if (before !== undefined && after !== undefined) {
    return [...before].every(([name, kind]) => keepsValues(kind, after.get(name) ?? kind));
  }
  const [item, wanted] = [from, to].map((kind) => kind.replace(LIST, ''));
  const isList = (kind: string) => kind.startsWith(LIST);
  return (item === wanted || (item === 'integer' && wanted === 'number')) && (isList(to) || !isList(from));
}

/** Returns true if a kind accepts more values than the kind that it replaces. */
export function isWidened(from: string, to: string): boolean {
  const [before, after] = [columnsIn(from), columnsIn(to)];
  if (before === undefined || after === undefined) return from !== to;
  return [...after].some(([name, kind]) => before.get(name) !== kind);
}

/** Returns a kind with the former columns of a table, whose cells exist in rows that were not changed since. */
function withFormerColumns(kind: string, before: string | undefined): string {
  const [now, former] = [columnsIn(kind), before === undefined ? undefined : columnsIn(before)];
  return now === undefined || former === undefined ? kind : tableOf(new Map([...now, ...former, ...now]));
}

/**
 * Returns what is recorded of a declaration, with the known settings that are no longer declared, because their values
 * are kept.
 */
function servedOf(tag: string, custom: readonly Setting[], last: ServedDeclaration | null): ServedDeclaration {
  const kinds: Record<string, string> = { ...last?.kinds };
  const names: Record<string, readonly string[]> = { ...last?.names };
  for (const setting of custom) {
    const { field, name, was } = setting;
    kinds[field] = withFormerColumns(kindOf(setting), kinds[field]);
    if (was.length > 0) names[field] = [...was.slice(1), name];
    else delete names[field];
  }
  return { tag, kinds, ...(Object.keys(names).length > 0 && { names }) };
}

const OTHER_KIND = 'Declare it as it was, or under a new name, and import the old values to it';

/** Returns the values that would be lost with a declaration, if guilds have set them. */
export function lossesOf(
  custom: readonly Setting[],
  last: ServedDeclaration | null,
  guildsWith: (field: string) => number,
): readonly ValueLoss[] {
  const { kinds = {} } = last ?? {};
  const others = custom.flatMap((setting): ValueLoss[] => {
    const { field, shownField } = setting;
    const from = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
    const to = kindOf(setting);
    if (from === undefined || keepsValues(from, to)) return [];
    return [{ field: shownField, lost: field, why: `was ${from}, is ${to}`, wayOut: OTHER_KIND }];
  });
  const renamed = custom.flatMap((setting) => lostNames(setting, last, guildsWith));
  return [...others, ...renamed].flatMap((loss) => {
    const guilds = guildsWith(loss.lost);
    return guilds === 0 ? [] : [{ ...loss, why: `${loss.why}, set in ${counted(guilds, 'guild')}` }];
  });
}

/**
 * Returns the storage names of values that belonged to a setting under one of its names, other than its present storage
 * name.
 */
function lostNames(
  { field, shownField, name, was }: Setting,
  last: ServedDeclaration | null,
  guildsWith: (field: string) => number,
): ValueLoss[] {
  const { kinds = {}, names = {} } = last ?? {};
  return Object.keys(kinds).flatMap((lost): ValueLoss[] => {
    const first = lost.slice(CUSTOM.length);
    const known = [first, ...(Object.hasOwn(names, lost) ? (names[lost] ?? []) : [])];
    if (lost === field || !lost.startsWith(CUSTOM) || !known.some((one) => one === name || was.includes(one)))
      return [];
    const line = wasLine([...known, ...was].filter((one) => one !== name));
    const wayOut =
      guildsWith(field) > 0
        ? 'Declare two settings, and import the values of one to the other'
        : first === name
          ? 'Declare it without was'
          : `Declare was: ${line}, or another name`;
    return [{ field: shownField, lost, why: `its values are stored as ${lost}`, wayOut }];
  });
}

/** Returns former names in the form of a declaration: `'a'`, `['a', 'b']`. */
export function wasLine(names: readonly string[]): string {
  const list = [...new Set(names)].map((name) => `'${name}'`);
  return list.length === 1 ? String(list[0]) : `[${list.join(', ')}]`;
}

/**
 * Compares a declaration with the one that the database was last served with, and records it. Kinds and names of
 * settings that are no longer declared stay in the record, as do their values.
 * @throws ChangedKindError
 */
export async function serveDeclaration(store: DeclarationStore, settings: DeclaredSettings): Promise<void> {
  const { tag, custom = [] } = settings;
  if (tag === undefined) return;
  const last = await store.readDeclaration();
  // Counts guilds only if values could be lost.
  const possible = lossesOf(custom, last, () => 1).map(({ lost }) => lost);
  const asked = [...possible, ...custom.filter(({ was }) => was.length > 0).map(({ field }) => field)];
  const counts = possible.length === 0 ? {} : await store.countSet([...new Set(asked)]);
  const losses = lossesOf(custom, last, (field) => counts[field] ?? 0);
  if (losses.length > 0) throw new ChangedKindError(losses);
  const served = servedOf(tag, custom, last);
  if (JSON.stringify(served) !== JSON.stringify(last)) await store.recordDeclaration(served);
}
