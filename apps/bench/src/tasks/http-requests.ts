import { type GuildRange, guildId } from '../data/guilds.ts';
import { type Caller, tokenOf } from '../data/world.ts';

export interface HttpRequests {
  readonly kind: 'read' | 'change';
  readonly origin: string;
  readonly caller?: Caller;
  readonly guilds: GuildRange;
  /** Paths that are read at random instead of the records of the guilds, with the credentials of the first one. */
  readonly paths?: readonly string[];
}

export function requestsOf({ kind, origin, caller, guilds, paths }: HttpRequests): () => string {
  const { host } = new URL(origin);
  const headers = (index: number) =>
    caller === undefined ? `host: ${host}\r\n` : `host: ${host}\r\nauthorization: Bearer ${tokenOf(caller, index)}\r\n`;
  if (paths !== undefined) {
    return () => `GET ${paths[random(paths.length)]} HTTP/1.1\r\n${headers(guilds.first)}\r\n`;
  }
  return () => {
    const index = guilds.first + random(guilds.count);
    const target = `/guilds/${guildId(index)} HTTP/1.1\r\n${headers(index)}`;
    if (kind === 'read') return `GET ${target}\r\n`;
    const body = JSON.stringify({ prefix: nextPrefix() });
    const type = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
    return `PATCH ${target}${type}\r\n${body}`;
  };
}

let prefixes = 0;

/** Returns a prefix that no guild has had, so that every request changes the record. */
function nextPrefix(): string {
  prefixes += 1;
  return `${process.pid}-${prefixes}`;
}

/** Continued from round to round: each requests other guilds, and not those that the round before has left in the caches. */
let randomState = 20_260_101;

/**
 * Returns a pseudo-random integer below a bound: the same ones in every run.
 * @see https://www.jstatsoft.org/article/view/v008i14 (xorshift)
 */
function random(bound: number): number {
  randomState ^= randomState << 13;
  randomState ^= randomState >>> 17;
  randomState ^= randomState << 5;
  return (randomState >>> 0) % bound;
}
