import {
  type GuildProfile,
  isOfShard,
  type PresenceReceipt,
  type PresenceReport,
  ProblemError,
} from '@guild-settings/contract';
import type { ManagedGuild } from '../auth/managed-guild.ts';
import type { GuildVersion, Store } from '../store/store.ts';
import type { Command } from './command.ts';

/** Guilds of a snapshot that are written in one transaction: other requests are answered between two of them. */
const GUILDS_AT_ONCE = 200;

/** Knows which guilds the bot is in, from what the bot reports. */
export class PresenceService {
  readonly #store: Store<Command>;
  readonly #clock: () => number;
  readonly #leftNotBefore: () => number;

  /**
   * @param clock milliseconds since 1970
   * @param leftNotBefore the earliest time that a guild can be left now: a clock that is back does not bring its erasure
   * forward
   */
  constructor(store: Store<Command>, clock: () => number, leftNotBefore: () => number) {
    this.#store = store;
    this.#clock = clock;
    this.#leftNotBefore = leftNotBefore;
  }

  /**
   * Refuses a guild that the bot is known not to be in. Until a bot has reported the guild's shard, any guild will do.
   * @returns the guild's version, as the store gave it in this request
   * @throws ProblemError bot-absent
   */
  async requireBot(managed: ManagedGuild): Promise<GuildVersion | null> {
    const version = await this.versionOf(managed);
    if (version?.presence === 'present') return version;
    if (version?.presence === 'left') throw new ProblemError('bot-absent');
    const shards = await this.#store.reportedShards();
    if (!shards.some((shard) => isOfShard(managed.id, shard))) return version;
    // Its shard may have been reported between the two: guilds are written first, so they are there now.
    const reported = await this.versionOf(managed);
    if (reported?.presence !== 'present') throw new ProblemError('bot-absent');
    return reported;
  }

  /** What the store says of a guild now, whether the bot is there or not. */
  versionOf({ id }: ManagedGuild): Promise<GuildVersion | null> {
    return this.#store.readVersion(id);
  }

  /** Records a bot's report. Repeating a report changes nothing. */
  async report(report: PresenceReport, applicationId: string): Promise<PresenceReceipt> {
    const at = this.#clock();
    const change = { at, actor: { kind: 'platform', id: applicationId }, origin: 'platform', reason: null } as const;
    const profiles = new Map(guildsIn(report).map((guild) => [guild.id, profileOf(guild)]));
    const missing = report.type === 'snapshot' ? await this.#store.guildsNotLeft(report.shard) : [];
    const ids = report.type === 'left' ? [report.guild] : [...new Set([...profiles.keys(), ...missing])];
    const receipt = { changed: 0, revision: 0 };
    // A snapshot without guilds makes one empty write, which returns the newest revision.
    for (let start = 0; start === 0 || start < ids.length; start += GUILDS_AT_ONCE) {
      const guildIds = ids.slice(start, start + GUILDS_AT_ONCE);
      const present = Object.fromEntries(
        guildIds.filter((id) => profiles.has(id)).map((id) => [id, profiles.get(id) ?? null]),
      );
      const leftNotBefore = this.#leftNotBefore();
      const command = { kind: 'report-presence', guildIds, present, change, leftNotBefore } as const;
      const { written, revision } = await this.#store.write(command);
      receipt.changed += written;
      receipt.revision = revision;
    }
    if (report.type === 'snapshot') await this.#store.markShardReported(report.shard, at);
    return receipt;
  }
}

function guildsIn(report: PresenceReport) {
  switch (report.type) {
    case 'snapshot':
      return report.guilds;
    case 'present':
      return [report.guild];
    case 'left':
      return [];
  }
}

/** Null: the bot is in the guild, but an outage hides its name. */
function profileOf(guild: GuildProfile | { readonly unavailable: true }): GuildProfile | null {
  return 'unavailable' in guild ? null : { name: storable(guild.name), icon: guild.icon && storable(guild.icon) };
}

/** What no store can keep (NUL, lone surrogates) becomes a replacement character; a name is no reason to refuse a report. */
function storable(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\ufffd');
}
