import type { Fault as DiscordFault } from '@guild-settings/discord-sim';
import { type Fault, some } from './fault.ts';

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

/** Every way in which the simulated Discord can fail. */
export const DISCORD_FAULTS: readonly Fault[] = KINDS.map((kind) => ({
  name: `Discord: ${kind.kind}`,
  target: 'Discord',
  async inflict({ discord }, random) {
    // Most tokens are known for some seconds, so it takes a moment until anybody asks.
    discord.faults.set(kind);
    await some(random, 500, 2_500);
    discord.faults.clear();
  },
}));
