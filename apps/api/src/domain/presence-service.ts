import {
  type GuildId,
  type GuildProfile,
  isOfShard,
  type PresenceReceipt,
  type PresenceReport,
  ProblemError,
} from '@guild-settings/contract';
import type { ManagedGuild } from '../auth/managed-guild.ts';
import type { Change, Decide, GuildStamp, GuildState, GuildWrite, Store, StoredGuild } from '../store/store.ts';
import { DEFAULT_STATE } from './default-state.ts';

/** Guilds of a snapshot that are written in one transaction: other requests are answered between two of them. */
const GUILDS_AT_ONCE = 200;

/** Knows which guilds the bot is in, from what the bot reports. */
export class PresenceService {
  readonly #store: Store;
  readonly #clock: () => number;

  readonly #leftNotBefore: () => number;

  /**
   * @param clock milliseconds since 1970
   * @param leftNotBefore the earliest time that a guild can be left now: a clock that is back does not bring its erasure
   * forward
   */
  constructor(store: Store, clock: () => number, leftNotBefore: () => number) {
    this.#store = store;
    this.#clock = clock;
    this.#leftNotBefore = leftNotBefore;
  }

  /**
   * Refuses a guild that the bot is known not to be in. Until a bot has reported the guild's shard, any guild will do.
   * @returns the guild's stamp, as the store gave it in this request
   * @throws ProblemError bot-absent
   */
  async requireBot(managed: ManagedGuild): Promise<GuildStamp | null> {
    const stamp = await this.stampOf(managed);
    if (stamp?.presence === 'present') return stamp;
    if (stamp?.presence === 'left') throw new ProblemError('bot-absent');
    const shards = await this.#store.reportedShards();
    if (!shards.some((shard) => isOfShard(managed.id, shard))) return stamp;
    // Its shard may have been reported between the two: guilds are written first, so they are there now.
    const reported = await this.stampOf(managed);
    if (reported?.presence !== 'present') throw new ProblemError('bot-absent');
    return reported;
  }

  /** What the store says of a guild now, whether the bot is there or not. */
  stampOf({ id }: ManagedGuild): Promise<GuildStamp | null> {
    return this.#store.readStamp(id);
  }

  /** Takes a bot's report in. The same report again changes nothing. */
  async report(report: PresenceReport, applicationId: string): Promise<PresenceReceipt> {
    const at = this.#clock();
    const change = { at, actor: { kind: 'platform', id: applicationId }, origin: 'platform', reason: null } as const;
    switch (report.type) {
      case 'present': {
        const { id } = report.guild;
        return this.#write([id], (current) => arrive(current, profileOf(report.guild), change));
      }
      case 'left':
        return this.#write([report.guild], (current) => leave(current, change, this.#leftNotBefore()));
      case 'snapshot': {
        const reported = new Map(report.guilds.map((guild) => [guild.id, profileOf(guild)]));
        const known = await this.#store.guildsNotLeft(report.shard);
        const ids = [...new Set([...reported.keys(), ...known])];
        const decide: Decide = (current, id) => {
          const profile = reported.get(id);
          return profile === undefined
            ? leave(current, change, this.#leftNotBefore())
            : arrive(current, profile, change);
        };
        let receipt = await this.#write(ids.slice(0, GUILDS_AT_ONCE), decide);
        for (let start = GUILDS_AT_ONCE; start < ids.length; start += GUILDS_AT_ONCE) {
          const { changed, revision } = await this.#write(ids.slice(start, start + GUILDS_AT_ONCE), decide);
          receipt = { changed: receipt.changed + changed, revision };
        }
        await this.#store.markShardReported(report.shard, at);
        return receipt;
      }
    }
  }

  async #write(ids: readonly GuildId[], decide: Decide): Promise<PresenceReceipt> {
    const { written, revision } = await this.#store.write(ids, decide);
    return { changed: written, revision };
  }
}

type PlatformChange = Omit<Change, 'before' | 'after'>;

/** Null: the bot is in the guild, but an outage hides its name. */
function profileOf(guild: GuildProfile | { readonly unavailable: true }): GuildProfile | null {
  return 'unavailable' in guild ? null : { name: storable(guild.name), icon: guild.icon && storable(guild.icon) };
}

function arrive(current: StoredGuild | null, profile: GuildProfile | null, change: PlatformChange): GuildWrite | null {
  const state = current ?? DEFAULT_STATE;
  return difference(state, { ...state, ...profile, presence: 'present', leftAt: null }, change);
}

/** The settings stay for a while: the bot may be invited back. */
function leave(current: StoredGuild | null, change: PlatformChange, notBefore: number): GuildWrite | null {
  const state = current ?? DEFAULT_STATE;
  if (state.presence === 'left') return null;
  return difference(state, { ...state, presence: 'left', leftAt: Math.max(change.at, notBefore) }, change);
}

function difference(state: GuildState, next: GuildState, change: PlatformChange): GuildWrite | null {
  const changed = (['name', 'icon', 'presence'] as const).filter((name) => state[name] !== next[name]);
  if (changed.length === 0) return null;
  const pick = (of: GuildState) => Object.fromEntries(changed.map((name) => [name, of[name]]));
  return { next, change: { ...change, before: pick(state), after: pick(next) } };
}

/** What no store can keep (NUL, lone surrogates) becomes a replacement character; a name is no reason to refuse a report. */
function storable(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\ufffd');
}
