import { GuildId, type SettingValue } from '@guild-settings/contract';
import type { Entry } from '../sources/source.ts';
import { receivedText } from './conversion-error.ts';
import { isExport, type Mapped, mapExport } from './map-export.ts';
import type { Mapping } from './mapping.ts';
import { type RefusedValue, takeValue } from './take-value.ts';
import { unmappedNames } from './unmapped.ts';
import { valueAt } from './value-at.ts';

export function mapEntry(entry: Entry, mapping: Mapping): Mapped {
  const { documents, declared } = mapping;
  if (documents !== undefined && isExport(entry.value)) return mapExport(entry.value, documents, declared);
  const located = locate(entry, mapping);
  if (located === undefined) return { is: 'other', unmapped: [] };
  const { guild, value } = located;
  const id = GuildId.safeParse(guild).data;
  if (id === undefined) return { is: 'rejected', problem: noGuild(guild, entry, mapping) };
  if (!isContainer(value) && mapping.paths.every(({ path }) => path !== '.')) {
    const problem = 'expected an object with the mapped names; --map FIELD=. takes the whole value';
    return { is: 'rejected', guild: id, problem };
  }
  const settings: Record<string, SettingValue> = {};
  const refused: RefusedValue[] = [];
  for (const { setting, path } of mapping.paths) {
    const found = valueAt(value, path);
    if (found === undefined || found === null) continue;
    const taken = takeValue(setting, found, mapping);
    if (taken.is === 'undecided') return { is: 'undecided' };
    if (taken.is === 'refused') refused.push({ field: setting.field, value: found, problem: taken.problem });
    if (taken.is === 'value') settings[setting.field] = taken.value;
  }
  const paths = mapping.paths.map(({ path }) => path);
  const unmapped = unmappedNames(value, mapping.guildPath === undefined ? paths : [...paths, mapping.guildPath]);
  const isEmpty = Object.keys(settings).length === 0 && refused.length === 0;
  return isEmpty ? { is: 'other', unmapped } : { is: 'guild', guild: id, settings, refused, unmapped };
}

function locate({ key, value }: Entry, { guildPath, keys }: Mapping): { guild: unknown; value: unknown } | undefined {
  if (guildPath !== undefined) return { guild: valueAt(value, guildPath), value };
  if (key === undefined) return { guild: undefined, value };
  const match = keys.match(key);
  if (match === undefined) return undefined;
  return { guild: match.guild, value: match.field === undefined ? value : { [match.field]: value } };
}

function noGuild(guild: unknown, { value }: Entry, { guildPath }: Mapping): string {
  if (guild !== undefined) return `expected a guild id of 17 to 19 digits as text, received ${receivedText(guild)}`;
  const names = isContainer(value) ? Object.keys(value).slice(0, 10).join(', ') : '';
  return `expected a guild id at "${guildPath}" (--guild PATH), received a row with: ${names}`;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
