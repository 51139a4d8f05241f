import { isDeepStrictEqual } from 'node:util';
import type { WatchedEvent } from '@guild-settings/client';
import type { GuildId, RecordSettings, WithCustom } from '@guild-settings/contract';
import {
  CUSTOM,
  type Declaration,
  DeclaredSettings,
  type Item,
  inEffect,
  isRow,
  isSameValue,
  type Setting,
  type SettingValue,
  type SetValues,
  SPECIFIED_SETTINGS,
} from '@guild-settings/contract/settings';

/** The settings of a guild: the specified ones, and in `custom` those declared by the bot. */
export type SettingsOf<D extends Declaration | undefined> = Readonly<WithCustom<RecordSettings, D>>;

/** A setting of the bot that the service declares differently. */
export interface SettingDifference {
  readonly name: string;
  /**
   * `missing`: the service does not declare it. `kind`: the kinds differ. `value`: a guild has a value that is invalid
   * by the bot's declaration. In these cases the bot's default is in effect. `default`: the defaults differ, and that
   * of the service is in effect.
   */
  readonly why: 'missing' | 'kind' | 'default' | 'value';
  readonly guild?: GuildId;
}

interface CustomSetting {
  readonly setting: Setting;
  /**
   * The field with the values of the service, which does not change with renames; undefined: those values are not in
   * effect.
   */
  readonly shared: string | undefined;
  /** The value for a guild without one. */
  readonly default: SettingValue;
}

/** The effective values by the declaration of the service, for a bot that may have its own declaration. */
export class SettingsInEffect<D extends Declaration | undefined> {
  /** The settings of a guild without set values. */
  readonly defaults: SettingsOf<D>;
  readonly #service: DeclaredSettings;
  readonly #specified: readonly Setting[];
  readonly #custom: readonly CustomSetting[] | undefined;
  readonly #differences: readonly SettingDifference[];
  /** The guilds with a value that is invalid for the bot, by setting name. */
  readonly #unfit = new Map<string, Set<GuildId>>();

  /** @param own the declaration of the bot; undefined: it has none, and uses that of the service */
  constructor(service: DeclaredSettings, own: DeclaredSettings | undefined) {
    this.#service = service;
    this.#specified = service.all.filter(({ place }) => place === 'record');
    const settings = own === undefined ? service.custom : (own.custom ?? []);
    this.#custom = settings?.map((setting) => customSetting(setting, ofService(setting, service)));
    this.#differences = (own?.custom ?? []).flatMap((setting) => differenceOf(setting, service));
    this.defaults = this.#resolve({}, '');
  }

  get differences(): readonly SettingDifference[] {
    const values = [...this.#unfit].flatMap(([name, [guild]]) =>
      guild === undefined ? [] : { name, why: 'value' as const, guild },
    );
    return [...this.#differences, ...values];
  }

  /** Returns the settings of a guild, frozen, because all callers share them. */
  of(guildId: GuildId, set: SetValues): SettingsOf<D> {
    this.forget(guildId);
    return this.#resolve(set, guildId);
  }

  /** Removes a guild from the list of invalid values. */
  forget(guildId: GuildId): void {
    for (const guilds of this.#unfit.values()) guilds.delete(guildId);
  }

  #resolve(set: SetValues, guildId: GuildId): SettingsOf<D> {
    // Including fields that this version does not know.
    const fields = Object.entries(set).filter(([field]) => !field.startsWith(CUSTOM));
    const settings: Record<string, unknown> = Object.fromEntries(fields);
    for (const setting of this.#specified) settings[setting.name] = frozen(this.#service.valueOf(set, setting));
    if (this.#custom !== undefined) {
      const custom = this.#custom.map((one) => [one.setting.name, frozen(this.#valueOf(set, one, guildId))]);
      settings.custom = Object.freeze(Object.fromEntries(custom));
    }
    return Object.freeze(settings) as unknown as SettingsOf<D>;
  }

  #valueOf(set: SetValues, { setting, shared, default: value }: CustomSetting, guildId: GuildId): SettingValue {
    const given = shared === undefined ? undefined : set[shared];
    if (given === undefined) return value;
    const served = suited(setting, given);
    if (served !== undefined) return served;
    const guilds = this.#unfit.get(setting.name) ?? new Set();
    this.#unfit.set(setting.name, guilds.add(guildId));
    return setting.default;
  }
}

/** Returns the service's setting that corresponds to one of the bot, by any present or former name; undefined: none. */
function ofService({ name, field, was }: Setting, { byField }: DeclaredSettings): Setting | undefined {
  const fields = [field, ...[name, ...was].map((one) => `${CUSTOM}${one}`)];
  return fields.map((one) => byField.get(one)).find((setting) => setting !== undefined);
}

function customSetting(setting: Setting, theirs: Setting | undefined): CustomSetting {
  if (theirs === undefined || !reads(setting, theirs)) return { setting, shared: undefined, default: setting.default };
  return { setting, shared: theirs.field, default: suited(setting, theirs.default) ?? setting.default };
}

function differenceOf(setting: Setting, service: DeclaredSettings): SettingDifference[] {
  const { name } = setting;
  const theirs = ofService(setting, service);
  if (theirs === undefined) return [{ name, why: service.unknown.includes(name) ? 'kind' : 'missing' }];
  if (!reads(setting, theirs)) return [{ name, why: 'kind' }];
  return isSameValue(setting.default, inEffect(setting, theirs.default), setting) ? [] : [{ name, why: 'default' }];
}

/**
 * Returns true if the bot can read the values of the service: the kinds are equal, or one may be widened to the other.
 */
function reads(own: Setting, theirs: Setting): boolean {
  const kinds = [own.declared.kind, theirs.declared.kind];
  const isSame = kinds[0] === kinds[1] || kinds.every((kind) => ['integer', 'number'].includes(kind));
  return isSame && (own.many !== undefined || theirs.many === undefined);
}

/**
 * Returns the bot's value for a value of the service; undefined: it does not have the type declared by the bot, or
 * contains a choice, possibly in a cell, that the bot does not declare.
 */
function suited(setting: Setting, value: unknown): SettingValue | undefined {
  const served = inEffect(setting, value);
  const { columns } = setting;
  const isKnown = (item: Item) =>
    isRow(item) ? columns?.every((column) => hasChoice(column, item[column.name])) : hasChoice(setting, item);
  return [served ?? []].flat().every(isKnown) ? served : undefined;
}

function hasChoice({ declared }: Setting, item: unknown): boolean {
  return declared.kind !== 'choice' || Object.hasOwn(declared.choices, String(item));
}

/** Freezes a value and its items, which all callers share. */
function frozen(value: SettingValue): SettingValue {
  if (Array.isArray(value)) for (const item of value) if (isRow(item)) Object.freeze(item);
  return Object.freeze(value);
}

export interface TaggedDeclaration {
  readonly tag: string;
  readonly declaration: Declaration;
}

interface DeclarationFile {
  declare(sent: TaggedDeclaration | undefined): { readonly declared: DeclaredSettings; readonly isRefetched: boolean };
}

/** The declaration of the service. A stream begins with it, unless the service has no declaration. */
export class FollowedDeclaration<D extends Declaration | undefined> {
  readonly #own: DeclaredSettings | undefined;
  readonly #file: DeclarationFile;
  #declared: DeclaredSettings | undefined;
  #hasBegun = false;

  /** @param declared the last declaration of the service; undefined: never connected */
  constructor(settings: D | undefined, declared: DeclaredSettings | undefined, file: DeclarationFile) {
    this.#own = settings && new DeclaredSettings(settings);
    this.#declared = declared;
    this.#file = file;
  }

  /** Returns the effective values: by the declaration of the bot until the first connection. */
  inEffect(): SettingsInEffect<D> {
    return new SettingsInEffect(this.inUse, this.#own);
  }

  /** The settings declared by the service, without texts; those of the bot until the first connection. */
  get inUse(): DeclaredSettings {
    return this.#declared ?? this.#own ?? SPECIFIED_SETTINGS;
  }

  /** The connection was lost: the next event is the first one of a stream. */
  disconnected(): void {
    this.#hasBegun = false;
  }

  /**
   * Reads the declaration from an event if it is the first one of a stream.
   * @returns the change; undefined: none
   */
  take(event: WatchedEvent['event']) {
    if (this.#hasBegun) return undefined;
    this.#hasBegun = true;
    const sent = event.type === 'declaration' ? event : undefined;
    if (this.#declared !== undefined && isSame(this.#declared, sent)) return undefined;
    const before = this.inUse;
    const { declared, isRefetched } = this.#file.declare(sent);
    this.#declared = declared;
    return before === declared ? undefined : { declaration: declared.declaration, isRefetched };
  }
}

function isSame(
  { tag, declaration }: DeclaredSettings,
  sent: Pick<DeclaredSettings, 'tag' | 'declaration'> | undefined,
) {
  return tag === sent?.tag && isDeepStrictEqual(declaration, sent?.declaration);
}
