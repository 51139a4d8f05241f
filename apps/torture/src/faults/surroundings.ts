import type { Fault as DiscordFault } from '@guild-settings/discord-sim';
import { type Fault, randomDelay } from './fault.ts';

const KINDS: readonly DiscordFault[] = [
  { kind: 'latency', ms: 400 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'rate-limit', retryAfterSeconds: 1 },
  { kind: 'rate-limit', retryAfterSeconds: 1, global: true },
  { kind: 'html' },
  { kind: 'truncated-json' },
  { kind: 'wrong-shape' },
  { kind: 'close-socket' },
  { kind: 'close-mid-body' },
  { kind: 'hang' },
];

export const DISCORD_FAULTS: readonly Fault[] = KINDS.map((kind) => ({
  name: `Discord: ${kind.kind}`,
  target: 'Discord',
  async inject({ discord }, random) {
    // Long enough for cached tokens to expire.
    discord.faults.set(kind);
    await randomDelay(random, 500, 2_500);
    discord.faults.clear();
  },
}));

export const diskFull: Fault = {
  name: 'disk full',
  target: 'disk',
  async inject({ disk, database }, random) {
    await disk.fill();
    await randomDelay(random, 300, 1_500);
    await disk.free();
    // PostgreSQL exits when it cannot write its log.
    await database.ensureUp(15_000);
  },
};
