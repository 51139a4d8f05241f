import type { GatewayOpcodes } from 'discord-api-types/v10';
import { record } from '../record.ts';

/** A frame of a client before its opcode is interpreted. */
export interface ClientFrame {
  readonly op: GatewayOpcodes;
  readonly d: unknown;
}

/** Parses a frame; `null` unless it is a JSON object with an opcode. */
export function clientFrame(text: string): ClientFrame | null {
  try {
    const { op, d } = record(JSON.parse(text));
    return typeof op === 'number' ? { op, d } : null;
  } catch {
    return null;
  }
}

/** A frame that is not an event. */
export function control(op: GatewayOpcodes, d: unknown = null): string {
  return JSON.stringify({ op, d, s: null, t: null });
}
