import { LIMITS } from '@guild-settings/contract';

/** Returns what people call a process with these shards of a bot, such as `bot-1, shards 0-3 of 16`. */
export function watcherName(name: string, { ids, count }: { readonly ids: readonly number[]; readonly count: number }) {
  const printable = name.replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ').trim() || 'bot';
  const full = ids.length === count ? printable : `${printable}, ${shardList([...ids])} of ${count}`;
  return [...full].slice(0, LIMITS.watcherName).join('');
}

function shardList(ids: number[]): string {
  ids.sort((a, b) => a - b);
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined || first === last) return `shard ${first}`;
  return `shards ${last - first === ids.length - 1 ? `${first}-${last}` : ids.join(', ')}`;
}
