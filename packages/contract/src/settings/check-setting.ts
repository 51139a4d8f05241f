import { oneOf, shown } from '../issues.ts';
import { LIMITS } from '../limits.ts';
import { type DeclarationFlaws, isObject, type Path } from './declaration-flaws.ts';
import { AnySetting, columnSchema, DECLARATION_LIMITS, Label, SETTING_SCHEMAS } from './declaration-schemas.ts';
import { counted, type Flaw, flawMessage, flawPath } from './flaw.ts';
import { fits, flawsOf, isRequired, type Setting, settingOf } from './setting.ts';
import type { KindName, Row, SettingDeclaration, SettingValue } from './setting-declaration.ts';
import { SPECIFIED } from './specified.ts';
import { textFlaws } from './text-flaws.ts';

/** The fields that determine the values of a setting. */
const DECIDING = [
  'kind',
  'lines',
  'min',
  'max',
  'decimals',
  'many',
  'choices',
  'types',
  'placeholders',
  'columns',
  'key',
  'was',
];

const KINDS = Object.keys(SETTING_SCHEMAS) as KindName[];

/** Nouns for the values of each type, and for their lists. */
const TYPES = {
  boolean: ['true or false', 'an array'],
  integer: ['an integer', 'an array of integers'],
  number: ['a number', 'an array of numbers'],
  row: ['an object with a cell for each column', 'an array of rows, which are objects'],
  string: ['a string', 'an array of strings'],
} as const;

export interface CheckedSetting {
  /** The fields in a fixed order, if the setting has no flaws. */
  readonly declared?: unknown;
  /** Undefined: because of flaws, the values of the setting are unknown. */
  readonly setting?: Setting | undefined;
}

/** Adds all flaws in the declaration of a setting. The caller checks its group. */
export function checkSetting(flaws: DeclarationFlaws, path: Path, declared: unknown): CheckedSetting {
  if (!isObject(declared)) {
    flaws.add(path, `expected an object with kind and label, received ${shown(declared)}`);
    return {};
  }
  const kind = KINDS.find((name) => name === declared.kind);
  if (kind === undefined) {
    flaws.add([...path, 'kind'], `expected ${oneOf(KINDS)}, received ${shown(declared.kind)}`);
    flaws.parse(path, AnySetting, declared);
    return {};
  }
  const parsed = flaws.parse(path, SETTING_SCHEMAS[kind], declared);
  const more = {
    ...membersOf(flaws, path, declared),
    ...(kind === 'table' && { columns: checkColumns(flaws, path, declared) }),
  };
  checkLimits(flaws, path, declared);
  const isOpen = DECIDING.some((field) => flaws.hasAt([...path, field]));
  // The fields that it depends on are valid.
  const setting = isOpen ? undefined : checkDefault(flaws, path, declared as unknown as SettingDeclaration);
  return { declared: parsed && { ...parsed, ...more }, setting };
}

/** Adds the flaws of the names in a setting or column: choices and placeholders. Returns them in order. */
function membersOf(flaws: DeclarationFlaws, path: Path, declared: Members): Members {
  const parts = Object.entries(NAMED).filter(([part]) => isObject(declared[part]));
  const check = (at: Path, label: unknown) => flaws.parse(at, Label, label);
  return Object.fromEntries(
    parts.map(([part, rules]) => [
      part,
      checkMembers(flaws, [...path, part], declared[part] as Members, { ...rules, check }),
    ]),
  );
}

/** Adds the flaws of the columns of a table and of its key. */
function checkColumns(flaws: DeclarationFlaws, path: Path, { columns, key }: Members): unknown {
  if (!isObject(columns)) return undefined;
  const names = Object.keys(columns);
  const keys: readonly unknown[] = Array.isArray(key) ? key : [];
  for (const [index, name] of keys.entries()) {
    const isNew = keys.indexOf(name) === index;
    if (!names.includes(String(name)))
      flaws.add([...path, 'key', index], `expected ${oneOf(names)}, received ${shown(name)}`);
    else if (!isNew) flaws.add([...path, 'key', index], 'expected each column once');
  }
  return checkMembers(flaws, [...path, 'columns'], columns, {
    ...COLUMNS,
    check: (at, column) => checkColumn(flaws, at, column),
  });
}

function checkColumn(flaws: DeclarationFlaws, path: Path, declared: unknown): unknown {
  const kinds = KINDS.filter((name) => name !== 'table');
  const kind = isObject(declared) ? kinds.find((name) => name === declared.kind) : undefined;
  if (!isObject(declared) || kind === undefined) {
    const received = isObject(declared) ? declared.kind : declared;
    flaws.add([...path, 'kind'], `expected ${oneOf(kinds)}, received ${shown(received)}`);
    return undefined;
  }
  const parsed = flaws.parse(path, columnSchema(kind), declared);
  const more = membersOf(flaws, path, declared);
  checkLimits(flaws, path, declared);
  if (declared.lines === 'many') flaws.add([...path, 'lines'], 'expected one: the texts of a table have one line each');
  const isOpen = DECIDING.some((field) => flaws.hasAt([...path, field]));
  if (!isOpen && declared.default !== undefined) {
    const setting = settingOf('custom', String(path.at(-1)), declared as unknown as SettingDeclaration);
    if (setting !== undefined) checkValue(flaws, [...path, 'default'], setting, declared.default);
  }
  return parsed && { ...parsed, ...more };
}

/** Adds the flaws of interdependent limits. */
function checkLimits(flaws: DeclarationFlaws, path: Path, { kind, min, max, many, lines, decimals }: Members): void {
  const isSound = ['min', 'max', 'decimals'].every((field) => !flaws.hasAt([...path, field]));
  if (typeof min === 'number' && typeof max === 'number' && min > max && isSound) {
    flaws.add([...path, 'min'], `expected at most max, which is ${max}, received ${min}`);
  }
  if (kind === 'number' && isSound) checkDigits(flaws, path, { min, max, decimals: Number(decimals) });
  if (kind !== 'text' || many === undefined) return;
  if (lines === 'many') flaws.add([...path, 'lines'], 'expected one: the texts of a list have one line each');
  if (typeof max === 'number' && max > DECLARATION_LIMITS.listedText && isSound) {
    flaws.add(
      [...path, 'max'],
      `expected at most ${DECLARATION_LIMITS.listedText} for the texts of a list, received ${max}`,
    );
  }
}

/** Adds the flaws of limits with too many decimals for the setting, or with digits beyond the precision of a double. */
function checkDigits(
  flaws: DeclarationFlaws,
  path: Path,
  { decimals, ...limits }: { readonly min: unknown; readonly max: unknown; readonly decimals: number },
): void {
  const most = 2 ** 53 / 10 ** decimals;
  for (const [name, limit] of Object.entries(limits)) {
    if (typeof limit !== 'number') continue;
    if (Math.abs(limit) > most) {
      flaws.add([...path, name], `expected at most ${most} with ${counted(decimals, 'decimal')}, received ${limit}`);
    } else if (Number(limit.toFixed(decimals)) !== limit) {
      flaws.add([...path, name], `expected at most ${counted(decimals, 'decimal place')}, received ${limit}`);
    }
  }
}

function checkDefault(flaws: DeclarationFlaws, path: Path, declared: SettingDeclaration): Setting | undefined {
  const at = [...path, 'default'];
  const setting = settingOf('custom', String(path.at(-1)), declared);
  if (setting === undefined) flaws.add(at, `expected a default, required for the kind ${declared.kind}`);
  else if (declared.default !== undefined) checkValue(flaws, at, setting, declared.default);
  return setting;
}

export function checkValue(flaws: DeclarationFlaws, path: Path, setting: Setting, value: unknown): void {
  if (!fits(setting, value)) {
    flaws.add(path, `expected ${typeOf(setting)}, received ${shown(value)}`);
    return;
  }
  for (const [row, name] of missingCells(setting, value)) {
    flaws.add([...path, row, name], 'expected a value, required by the column, received nothing');
  }
  for (const flaw of flawsOf(setting, value)) {
    const item = Array.isArray(value) && flaw.at !== undefined ? value[flaw.at] : value;
    const cell = flaw.column !== undefined && isObject(item) ? item[flaw.column] : item;
    flaws.add([...path, ...flawPath(flaw)], messageOf(flaw, setting, cell));
  }
  if (Array.isArray(value) && new Set(value).size < value.length) flaws.add(path, 'expected each item once');
}

/** Returns the paths of required cells that are missing in the rows of a table. */
function missingCells({ columns = [] }: Setting, value: SettingValue): (readonly [row: number, column: string])[] {
  const required = columns.filter(isRequired);
  return (required.length === 0 ? [] : (value as readonly Row[])).flatMap((row, at) =>
    required.flatMap(({ name }) => (row[name] === undefined ? [[at, name] as const] : [])),
  );
}

function messageOf(flaw: Flaw, { declared }: Setting, value: unknown): string {
  if (flaw.key === 'tooMany' && Array.isArray(value)) {
    return `expected at most ${counted(flaw.count, 'item')}, received ${value.length}`;
  }
  const isChoice = flaw.key === 'notChoice' && declared.kind === 'choice';
  const message = isChoice ? `expected ${oneOf(Object.keys(declared.choices))}` : flawMessage(flaw);
  return message.includes('received') ? message : `${message}, received ${shown(value)}`;
}

function typeOf({ kind: { type }, many }: Setting): string {
  const [one, list] = TYPES[type];
  return many === undefined ? one : list;
}

const IDENTIFIER = /^[a-z][A-Za-z0-9_]{0,31}$/;

/** Names that every object has: a look-up of an undeclared name would find them. */
const INHERITED: readonly string[] = Object.getOwnPropertyNames(Object.prototype);

/** Names that a record or a command already has. */
const TAKEN: readonly string[] = [...Object.keys(SPECIFIED), 'id', 'name', 'icon', 'custom', 'presence'];

/** Returns the flaw of a name; undefined: the name is valid. */
type NameRule = (name: string) => string | undefined;

export const settingName: NameRule = (name) =>
  TAKEN.includes(name) ? 'expected another name: guilds already have a field with this name' : groupName(name);

export const groupName: NameRule = (name) =>
  IDENTIFIER.test(name)
    ? notInherited(name)
    : 'expected a lower-case letter from a to z, then at most 31 letters, digits and underscores';

export const featureName: NameRule = (name) =>
  notInherited(name) ?? flawIn(name, { max: LIMITS.featureName, noLeadingSpace: false });

const choiceName: NameRule = (name) =>
  notInherited(name) ?? flawIn(name, { max: DECLARATION_LIMITS.choiceName, noLeadingSpace: true });

const NAMED = {
  choices: { least: 1, most: DECLARATION_LIMITS.choices, noun: 'choices', nameRule: choiceName },
  placeholders: { least: 1, most: DECLARATION_LIMITS.placeholders, noun: 'placeholders', nameRule: groupName },
};

const COLUMNS = { least: 1, most: DECLARATION_LIMITS.columns, noun: 'columns', nameRule: groupName };

const notInherited: NameRule = (name) =>
  INHERITED.includes(name) ? 'expected another name: every object has a property with this name' : undefined;

function flawIn(name: string, rules: { readonly max: number; readonly noLeadingSpace: boolean }): string | undefined {
  const [flaw] = textFlaws(name, { min: 1, noInvisible: true, ...rules });
  return flaw && flawMessage(flaw);
}

interface MemberRules<Checked> {
  /** The minimum number of members; 0 unless given. */
  readonly least?: number;
  readonly most: number;
  readonly noun: string;
  readonly nameRule: NameRule;
  /** Adds the flaws of one member, and returns the checked member. */
  readonly check: (path: Path, member: unknown) => Checked;
}

/** Adds the flaws in the number and the names of members, and in each member. Returns the members in order. */
export function checkMembers<Checked>(
  flaws: DeclarationFlaws,
  path: Path,
  members: Readonly<Record<string, unknown>>,
  { least = 0, most, noun, nameRule, check }: MemberRules<Checked>,
): Record<string, Checked> {
  const entries = Object.entries(members);
  if (entries.length < least) flaws.add(path, `expected at least ${least} of the ${noun}, received none`);
  if (entries.length > most) flaws.add(path, `expected at most ${most} ${noun}, received ${entries.length}`);
  const checked = entries.map(([name, member]) => {
    const flaw = nameRule(name);
    if (flaw !== undefined) flaws.add([...path, name], flaw);
    return [name, check([...path, name], member)] as const;
  });
  return Object.fromEntries(checked);
}

type Members = Readonly<Record<string, unknown>>;
