import type { FieldChanges } from '@guild-settings/contract';
import { type Declaration, type SettingDeclaration, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';

/**
 * Values by field, such as `prefix` and `custom.xp`. The set values of a guild do not include fields that follow their
 * defaults.
 */
export type ModelValues = Readonly<Record<string, unknown>>;

export interface ModelSetting {
  /** The storage name: its first name. */
  readonly field: string;
  /** The present name. */
  readonly path: readonly string[];
  /** All present and former names: the present one first, then the others in order. */
  readonly names: readonly string[];
  readonly default: unknown;
  readonly kind: string;
  readonly isCustom: boolean;
  readonly isReserved: boolean;
  readonly isMany: boolean;
  /** Returns true for values of its kind, including those beyond its limits. */
  fits(value: unknown): boolean;
  /** Returns the effective value for a stored one, which may be of a narrower kind; undefined: none. */
  read(value: unknown): unknown;
  /** Returns the paths to the flaws within a value of the kind; empty: it is valid. */
  flaws(value: unknown): readonly (readonly string[])[];
}

/** Defaults of kinds with an empty value. */
const EMPTY: Readonly<Record<string, unknown>> = { switch: false, text: '', channel: '', role: '' };

/** The settings of one process according to the documentation, without the code under test. */
export class ModelRules {
  /** Undefined: there is no file. */
  readonly declaration: Declaration | undefined;
  readonly settings: readonly ModelSetting[];
  readonly hasCustom: boolean;

  constructor(declaration: Declaration | undefined) {
    this.declaration = declaration;
    const { settings = {}, defaults = {} } = declaration ?? {};
    const former = Object.values(settings).flatMap(({ was = [] }) => was);
    const custom = Object.entries(settings).filter(([name]) => !former.includes(name));
    this.hasCustom = custom.length > 0;
    this.settings = [
      ...SPECIFIED_SETTINGS.all.map(({ name, declared }) =>
        settingOf([name], { ...declared, ...(Object.hasOwn(defaults, name) && { default: defaults[name as never] }) }),
      ),
      ...custom.map(([name, declared]) => settingOf(['custom', name], declared)),
    ];
  }

  setting(field: string): ModelSetting | undefined {
    return this.settings.find(({ names }) => names.includes(field));
  }

  valueOf(set: ModelValues, { field, read, default: value }: ModelSetting): unknown {
    return read(set[field]) ?? value;
  }

  /** Returns changes by the present names, with the values that would be in effect now. */
  shown(changes: FieldChanges): FieldChanges {
    return Object.fromEntries(
      Object.entries(changes).map(([field, { from, to }]) => {
        const { path = [field], read = () => undefined } = this.setting(field) ?? {};
        return [path.join('.'), { from: read(from) ?? from, to: read(to) ?? to }];
      }),
    );
  }

  /** Returns the settings of a record, in order. */
  record(set: ModelValues): object {
    const values = (isCustom: boolean) =>
      Object.fromEntries(
        this.settings
          .filter((setting) => setting.isCustom === isCustom)
          .map((setting) => [setting.path.at(-1), this.valueOf(set, setting)]),
      );
    return { ...values(false), ...(this.hasCustom && { custom: values(true) }) };
  }

  /** The part of the declaration that its tag depends on; undefined: no declaration. */
  get identity(): string | undefined {
    if (this.declaration === undefined) return undefined;
    const { settings = {} } = this.declaration;
    const limits = Object.values(settings).map(({ label: _, description: __, group: ___, ...rest }) =>
      'choices' in rest ? { ...rest, choices: Object.keys(rest.choices) } : rest,
    );
    return JSON.stringify([limits, this.settings.map(({ path, default: value }) => [path, value])]);
  }
}

function settingOf(path: readonly string[], declared: SettingDeclaration): ModelSetting {
  const isMany = 'many' in declared && declared.many !== undefined;
  const isItem = itemType(declared);
  const names = [path.at(-1), ...[declared.was ?? []].flat()].map((name) => [...path.slice(0, -1), name].join('.'));
  const fits = (value: unknown) => (isMany ? Array.isArray(value) && value.every(isItem) : isItem(value));
  return {
    field: names[1] ?? path.join('.'),
    path,
    names,
    kind: declared.kind,
    isCustom: path.length > 1,
    isReserved: declared.setBy === 'application',
    isMany,
    default: declared.default ?? (isMany ? [] : EMPTY[declared.kind]),
    fits,
    read(value) {
      if (isMany && isItem(value)) return value === '' ? [] : [value];
      return fits(value) ? value : undefined;
    },
    flaws(value) {
      if (isOpen(declared)) return [];
      if (!isMany) return isValid(declared, value) ? [] : [[]];
      const items = (value as unknown[]).flatMap((item, at) =>
        item !== '' && isValid(declared, item) ? [] : [[`${at}`]],
      );
      const isLong = (value as unknown[]).length > (declared.many?.max ?? 0);
      return [...items, ...(isLong ? [[]] : [])];
    },
  };
}

/** Returns whether a specified setting takes every text of the steps. */
function isOpen(declared: SettingDeclaration): boolean {
  return 'anyText' in declared || 'open' in declared;
}

function itemType({ kind }: SettingDeclaration): (value: unknown) => boolean {
  if (kind === 'integer' || kind === 'duration') return Number.isSafeInteger;
  if (kind === 'number') return Number.isFinite;
  return (value) => typeof value === (kind === 'switch' ? 'boolean' : 'string');
}

function isValid(declared: SettingDeclaration, value: unknown): boolean {
  switch (declared.kind) {
    case 'switch':
      return true;
    case 'integer':
    case 'duration':
      return Number(value) >= declared.min && Number(value) <= declared.max;
    case 'number': {
      const [, digits = ''] = String(value).split('.');
      return Number(value) >= declared.min && Number(value) <= declared.max && digits.length <= declared.decimals;
    }
    case 'choice':
      return Object.keys(declared.choices).includes(String(value));
    case 'text':
      return String(value).length <= declared.max && (declared.lines === 'many' || !String(value).includes('\n'));
    case 'channel':
    case 'role':
    case 'user':
      return /^(\d{17,20})?$/.test(String(value));
    default:
      return true;
  }
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
