import type { GatewayOpcodes } from 'discord-api-types/v10';
import { record } from '../record.ts';

/** What a client sent, as far as it can be told without knowing the opcode. */
export interface ClientFrame {
  readonly op: GatewayOpcodes;
  readonly d: unknown;
}

/** Reads a frame; `null` when it is no JSON object with an opcode. */
export function clientFrame(text: string): ClientFrame | null {
  try {
    const { op, d } = record(JSON.parse(text));
    return typeof op === 'number' ? { op, d } : null;
  } catch {
    return null;
  }
}

/** A frame that is no event. */
export function control(op: GatewayOpcodes, d: unknown = null): string {
  return JSON.stringify({ op, d, s: null, t: null });
}
