import {
  type DeclaredSettings,
  type FieldPatch,
  fieldsOf,
  type GuildId,
  type ImportDocument,
  isSameValue,
  type Setting,
  type SettingValue,
  type SetValues,
  type SkippedField,
  stored,
  unknownFieldsOf,
} from '@guild-settings/contract';
import { isReserved } from './setting-rules.ts';
import { skipped, skippedSetting } from './skipped.ts';

export interface ImportPlan {
  readonly patch: FieldPatch;
  readonly skipped: SkippedField[];
}

/** Plans the import of a document into a guild: what cannot exist there is left alone, and named. */
export function planImport(
  { access, history, ...document }: ImportDocument,
  guildId: GuildId,
  settings: DeclaredSettings,
): ImportPlan {
  const unknown = unknownFieldsOf(document, settings);
  const entries = Object.entries(fieldsOf(document.settings)).filter(([field]) => settings.byField.has(field));
  const isOther = document.guild !== guildId;
  const foreign = entries.flatMap(([field, value]) => {
    const setting = isOther ? settings.byField.get(field) : undefined;
    return setting !== undefined && belongsToGuild(setting, value) ? [{ setting, value }] : [];
  });
  return {
    patch: Object.fromEntries(entries.filter(([field]) => !foreign.some(({ setting }) => setting.field === field))),
    skipped: [
      ...foreign.map(({ setting, value }) => skippedSetting('other-guild', setting, value)),
      ...unknown.map(({ path, value }) => skipped('unknown-field', path, value)),
      ...(access === undefined ? [] : [skipped('access', ['access'])]),
      ...(history === undefined ? [] : [skipped('history', ['history'])]),
    ],
  };
}

export function namesReserved(patch: FieldPatch, { all }: DeclaredSettings): boolean {
  return all.some((setting) => isReserved(setting) && patch[setting.field] !== undefined);
}

/** Leaves the reserved settings out of a patch, and names those that it would change. */
export function withoutReserved(patch: FieldPatch, set: SetValues, settings: DeclaredSettings): ImportPlan {
  const plan = { patch: { ...patch } as Record<string, SettingValue | null>, skipped: [] as SkippedField[] };
  for (const setting of settings.all.filter(isReserved)) {
    const value = patch[setting.field];
    if (value === undefined) continue;
    delete plan.patch[setting.field];
    const isThere =
      value === null
        ? set[setting.field] === undefined
        : isSameValue(stored(setting, value), settings.valueOf(set, setting));
    if (!isThere) plan.skipped.push(skippedSetting('reserved', setting, value));
  }
  return plan;
}

/** Returns whether a value names something of one guild. That there is none can be imported. */
function belongsToGuild({ declared }: Setting, value: SettingValue | null): boolean {
  const isOfGuild = declared.kind === 'channel' || declared.kind === 'role';
  return isOfGuild && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}
