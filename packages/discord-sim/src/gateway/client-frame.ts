import type { GatewayOpcodes } from 'discord-api-types/v10';
import type { Clock } from '../clock.ts';
import { parseJson, record } from '../json.ts';

const MAX_BYTES = 4_096;

/** A frame of a client before its opcode is interpreted. */
export interface ClientFrame {
  readonly op: GatewayOpcodes;
  readonly d: unknown;
}

/**
 * Parses a frame.
 *
 * @returns `null` unless it is a JSON object with an opcode, of 4,096 bytes or fewer
 * @see https://discord.com/developers/docs/events/gateway#sending-events
 */
export function clientFrame(text: string): ClientFrame | null {
  if (Buffer.byteLength(text) > MAX_BYTES) return null;
  try {
    const { op, d } = record(parseJson(text));
    return Number.isInteger(op) ? { op: Number(op), d } : null;
  } catch {
    return null;
  }
}

export function control(op: GatewayOpcodes, d: unknown = null): string {
  return JSON.stringify({ op, d, s: null, t: null });
}

const LIMIT = 120;
const WINDOW_MS = 60_000;

/**
 * Counts the frames of one connection: 120 each minute, heartbeats included.
 *
 * @see https://discord.com/developers/docs/events/gateway#rate-limiting
 */
export class FrameRate {
  readonly #clock: Clock;
  #windowEndsAt: number;
  #received = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#windowEndsAt = clock() + WINDOW_MS;
  }

  count(): boolean {
    if (this.#clock() >= this.#windowEndsAt) {
      this.#windowEndsAt = this.#clock() + WINDOW_MS;
      this.#received = 0;
    }
    this.#received += 1;
    return this.#received <= LIMIT;
  }
}
