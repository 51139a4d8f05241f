import { type GuildRange, guildId } from '../data/guild-ids.ts';
import { recordOf } from '../data/records.ts';
import { type Caller, tokenOf } from '../data/world.ts';

/** The requests of a load. */
export interface HttpRequests {
  /** `etcd-put`: a change of a guild's record in etcd, by its JSON gateway. */
  readonly kind: 'read' | 'conditional' | 'change' | 'paths' | 'etcd-put';
  readonly origin: string;
  /** Who sends them; no credentials unless given. */
  readonly caller?: Caller;
  /** The guilds, requested at random. */
  readonly guilds: GuildRange;
  /** For the kind `paths`: what is read instead of the records of the guilds. */
  readonly paths?: readonly string[];
}

/** Returns a function that returns the text of the next request. */
export function requestsOf({ kind, origin, caller, guilds, paths = [] }: HttpRequests): () => string {
  const { host } = new URL(origin);
  const headers = (index: number) =>
    caller === undefined ? `host: ${host}\r\n` : `host: ${host}\r\nauthorization: Bearer ${tokenOf(caller, index)}\r\n`;
  const nextGuild = () => guilds.first + random(guilds.count);
  switch (kind) {
    case 'read':
      return () => {
        const index = nextGuild();
        return `GET /guilds/${guildId(index)} HTTP/1.1\r\n${headers(index)}\r\n`;
      };
    case 'conditional':
      return () => {
        const index = nextGuild();
        // The revisions of `seedSqlite`.
        return `GET /guilds/${guildId(index)} HTTP/1.1\r\n${headers(index)}if-none-match: "${index + 1}"\r\n\r\n`;
      };
    case 'paths':
      return () => `GET ${paths[random(paths.length)]} HTTP/1.1\r\n${headers(guilds.first)}\r\n`;
    case 'change':
      return () => {
        const index = nextGuild();
        const body = JSON.stringify({ prefix: nextValue() });
        return `PATCH /guilds/${guildId(index)} HTTP/1.1\r\n${headers(index)}${bodyHeaders(body)}\r\n${body}`;
      };
    case 'etcd-put':
      return () => {
        const record = JSON.stringify({ ...recordOf(guildId(nextGuild()), 0), prefix: nextValue() });
        const body = JSON.stringify({ key: base64(record.slice(0, 32)), value: base64(record) });
        return `POST /v3/kv/put HTTP/1.1\r\n${headers(0)}${bodyHeaders(body)}\r\n${body}`;
      };
  }
}

function bodyHeaders(body: string): string {
  return `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

let values = 0;

/** Returns a prefix that no guild has had, so that every request changes the record. */
function nextValue(): string {
  values += 1;
  return `${process.pid}-${values}`;
}

/** Between two rounds it goes on: each requests other guilds, and not those that the one before has left in the caches. */
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
