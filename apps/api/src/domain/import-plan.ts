import {
  type DeclaredSettings,
  type FieldPatch,
  fieldsOf,
  type GuildId,
  type ImportDocument,
  type Setting,
  type SettingValue,
  type SkippedField,
  unknownFieldsOf,
} from '@guild-settings/contract';
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

/** Returns whether a value names something of one guild. That there is none can be imported. */
function belongsToGuild({ declared }: Setting, value: SettingValue | null): boolean {
  const isOfGuild = declared.kind === 'channel' || declared.kind === 'role';
  return isOfGuild && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}
