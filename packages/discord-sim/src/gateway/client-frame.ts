import type { GatewayOpcodes } from 'discord-api-types/v10';
import { parseJson } from '../parse-json.ts';
import { record } from '../record.ts';

/** The longest frame of a client, in bytes. */
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

/** A frame that is not an event. */
export function control(op: GatewayOpcodes, d: unknown = null): string {
  return JSON.stringify({ op, d, s: null, t: null });
}
