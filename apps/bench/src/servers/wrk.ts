import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext } from '../context.ts';
import { type GuildRange, guildId } from '../data/guild-ids.ts';
import { type Caller, tokenOf } from '../data/world.ts';
import { isInstalled, startPlaced } from './program.ts';

/** GETs of guilds at random, sent by wrk. */
export interface WrkLoad {
  readonly origin: string;
  readonly caller: Caller;
  readonly guilds: GuildRange;
  readonly connections: number;
  readonly seconds: number;
}

/** Whether wrk is installed, a load generator in C: the judge of the bench's own. */
export const hasWrk = isInstalled('wrk');

/** Returns requests per second. */
export async function runWrk({ folder }: BenchContext, load: WrkLoad): Promise<number> {
  const { origin, connections, seconds } = load;
  const script = join(folder, 'guilds.lua');
  await writeFile(script, scriptOf(load));
  await using wrk = startPlaced({
    file: 'wrk',
    isNode: false,
    args: ['-t1', `-c${connections}`, `-d${Math.max(1, Math.round(seconds))}s`, '-s', script, origin],
    place: 'load',
  });
  await wrk.exited;
  const rate = /^Requests\/sec: +([\d.]+)$/m.exec(wrk.output())?.[1];
  if (rate === undefined || /Non-2xx|Socket errors/.test(wrk.output())) {
    throw new Error(`Expected responses with 2xx, received:\n${wrk.output()}`);
  }
  return Number(rate);
}

/** @see https://github.com/wg/wrk/blob/master/SCRIPTING */
function scriptOf({ caller, guilds }: WrkLoad): string {
  return `
local first, step = ${guildId(guilds.first)}ULL, ${BigInt(guildId(1)) - BigInt(guildId(0))}ULL
local tokens = { ${tokensOf(caller, guilds).join(', ')} }
request = function()
  local index = math.random(0, ${guilds.count - 1})
  local id = tostring(first + index * step):gsub('ULL', '')
  local token = tokens[1 + math.floor(index * #tokens / ${guilds.count})]
  return wrk.format('GET', '/guilds/' .. id, { authorization = 'Bearer ' .. token })
end
`;
}

function tokensOf(caller: Caller, { first, count }: GuildRange): string[] {
  const tokens = Array.from({ length: count }, (_, index) => tokenOf(caller, first + index));
  return [...new Set(tokens)].map((token) => JSON.stringify(token));
}
