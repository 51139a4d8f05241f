import type { Item, Setting, SettingValue } from '@guild-settings/contract/settings';

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** Returns a value as a person can type it in any language; empty: it cannot be typed in an option. */
export function typedValue(setting: Setting, value: SettingValue): string {
  const items = [value].flat() as readonly Item[];
  if (items.length === 0 || value === '') return 'none';
  const isTypeable = (text: string) => text !== 'none' && !(setting.many ? /[,、，\n]/ : /\n/).test(text);
  if (setting.declared.kind === 'text' && !items.map(String).every(isTypeable)) return '';
  return items.map((item) => typedItem(setting, item)).join(', ');
}

export function typedItem({ declared }: Setting, item: Item): string {
  if (typeof item === 'boolean') return item ? 'on' : 'off';
  return declared.kind === 'duration' ? typedDuration(Number(item)) : String(item);
}

function typedDuration(seconds: number): string {
  let rest = seconds;
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return count === 0 ? [] : [`${count}${unit}`];
  });
  return parts.join(' ') || '0s';
}
