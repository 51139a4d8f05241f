import type { GuildProfile, PresenceReceipt, PresenceReport } from '@guild-settings/contract';
import type { GuildStore } from '../store/guild-store.ts';
import type { PresenceStore } from '../store/store.ts';
import type { Command } from './command.ts';

/** Guilds of a snapshot per transaction. Other requests are handled between two transactions. */
const MAX_GUILDS = 200;

export class PresenceService {
  readonly #store: GuildStore<Command> & PresenceStore;
  readonly #nowMs: () => number;
  readonly #leftNotBefore: () => number;

  /**
   * @param nowMs returns milliseconds since 1970
   * @param leftNotBefore returns the earliest time at which a guild is recorded as left: a slow clock must not cause an
   * earlier erasure
   */
  constructor(store: GuildStore<Command> & PresenceStore, nowMs: () => number, leftNotBefore: () => number) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.#leftNotBefore = leftNotBefore;
  }

  /** Records a bot's report. Repeating a report has no effect. */
  async report(report: PresenceReport, applicationId: string): Promise<PresenceReceipt> {
    const at = this.#nowMs();
    const change = { at, actor: { kind: 'platform', id: applicationId }, origin: 'platform', reason: null } as const;
    const profiles = new Map(guildsIn(report).map((guild) => [guild.id, profileOf(guild)]));
    const missing = report.type === 'snapshot' ? await this.#store.guildsNotLeft(report.shard) : [];
    const ids = report.type === 'left' ? [report.guild] : [...new Set([...profiles.keys(), ...missing])];
    const receipt = { changed: 0, revision: 0 };
    // A snapshot without guilds makes one empty write, which returns the newest revision.
    for (let start = 0; start === 0 || start < ids.length; start += MAX_GUILDS) {
      const guildIds = ids.slice(start, start + MAX_GUILDS);
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

function profileOf(guild: GuildProfile | { readonly unavailable: true }): GuildProfile | null {
  return 'unavailable' in guild ? null : { name: storable(guild.name), icon: guild.icon && storable(guild.icon) };
}

/**
 * Replaces characters that a store cannot keep (NUL, lone surrogates), so that no report is refused because of a name.
 */
function storable(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\ufffd');
}
