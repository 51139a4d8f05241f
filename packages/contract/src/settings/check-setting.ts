import { oneOf, shown } from '../expected.ts';
import { checkMembers, choiceName } from './check-names.ts';
import { counted } from './counted.ts';
import { type DeclarationFlaws, isObject, type Path } from './declaration-flaws.ts';
import { DECLARATION_LIMITS } from './declaration-limits.ts';
import { AnySetting, Label, SETTING_SCHEMAS } from './declaration-schemas.ts';
import type { Flaw } from './flaw.ts';
import { flawMessage } from './flaw-message.ts';
import { fits, flawsOf, type Setting, settingOf } from './setting.ts';
import type { KindName, SettingDeclaration } from './setting-declaration.ts';

/** The fields that decide which values a setting has. */
const DECIDING = ['kind', 'lines', 'min', 'max', 'many', 'choices', 'types'];

const KINDS = Object.keys(SETTING_SCHEMAS) as KindName[];

const CHOICES = {
  least: 1,
  most: DECLARATION_LIMITS.choices,
  noun: 'choices',
  nameRule: choiceName,
};

/** Nouns of the values of each type, and of their lists. */
const TYPES = {
  boolean: ['true or false', 'an array'],
  integer: ['an integer', 'an array of integers'],
  string: ['a string', 'an array of strings'],
} as const;

/** A declaration of a setting that was checked. */
export interface CheckedSetting {
  /** The fields in one order, where the setting has no flaws. */
  readonly declared?: unknown;
  /** Undefined: flaws leave open which values it has. */
  readonly setting?: Setting | undefined;
}

/** Adds all that is not valid in the declaration of a setting. The caller looks up its group. */
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
  const more = kind === 'choice' ? { choices: checkChoices(flaws, [...path, 'choices'], declared.choices) } : {};
  checkLimits(flaws, path, declared);
  const isOpen = DECIDING.some((field) => flaws.hasAt([...path, field]));
  // The fields that it is read by are sound.
  const setting = isOpen ? undefined : checkDefault(flaws, path, declared as unknown as SettingDeclaration);
  return { declared: parsed && { ...parsed, ...more }, setting };
}

function checkChoices(flaws: DeclarationFlaws, path: Path, choices: unknown): unknown {
  return isObject(choices)
    ? checkMembers(flaws, path, choices, { ...CHOICES, check: (at, label) => flaws.parse(at, Label, label) })
    : undefined;
}

/** Adds the flaws of limits that depend on each other. */
function checkLimits(
  flaws: DeclarationFlaws,
  path: Path,
  { kind, min, max, many, lines }: Record<string, unknown>,
): void {
  const isSound = ['min', 'max'].every((field) => !flaws.hasAt([...path, field]));
  if (typeof min === 'number' && typeof max === 'number' && min > max && isSound) {
    flaws.add([...path, 'min'], `expected at most max, which is ${max}, received ${min}`);
  }
  if (kind !== 'text' || many === undefined) return;
  if (lines === 'many') flaws.add([...path, 'lines'], 'expected one: the texts of a list have one line each');
  if (typeof max === 'number' && max > DECLARATION_LIMITS.listedText && isSound) {
    flaws.add(
      [...path, 'max'],
      `expected at most ${DECLARATION_LIMITS.listedText} for the texts of a list, received ${max}`,
    );
  }
}

function checkDefault(flaws: DeclarationFlaws, path: Path, declared: SettingDeclaration): Setting | undefined {
  const at = [...path, 'default'];
  const setting = settingOf('custom', String(path.at(-1)), declared);
  if (setting === undefined) flaws.add(at, `expected a default, which a setting of the kind ${declared.kind} needs`);
  else if (declared.default !== undefined) checkValue(flaws, at, setting, declared.default);
  return setting;
}

/** Adds all that is not valid in a value of a setting. */
export function checkValue(flaws: DeclarationFlaws, path: Path, setting: Setting, value: unknown): void {
  if (!fits(setting, value)) {
    flaws.add(path, `expected ${typeOf(setting)}, received ${shown(value)}`);
    return;
  }
  for (const flaw of flawsOf(setting, value)) {
    const item = Array.isArray(value) && flaw.at !== undefined ? value[flaw.at] : value;
    flaws.add(flaw.at === undefined ? path : [...path, flaw.at], messageOf(flaw, setting, item));
  }
  if (Array.isArray(value) && new Set(value).size < value.length) flaws.add(path, 'expected each item once');
}

/** Returns the message of a flaw, with what was received. */
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
