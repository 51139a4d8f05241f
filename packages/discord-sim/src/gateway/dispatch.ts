import { type GatewayDispatchPayload, GatewayOpcodes, type Snowflake } from 'discord-api-types/v10';

type Unnumbered<Payload> = Payload extends { t: unknown; d: unknown } ? Pick<Payload, 't' | 'd'> : never;

/** An event without a sequence number. */
export type Dispatch = Unnumbered<GatewayDispatchPayload>;

/** Returns the frame of an event. RESUMED has an empty object for data, against its type. */
export function frame({ t, d }: Dispatch, s: number): string {
  return JSON.stringify({ op: GatewayOpcodes.Dispatch, t, d: d ?? {}, s });
}

/**
 * Returns the shard of a guild.
 *
 * @see https://discord.com/developers/docs/events/gateway#sharding
 */
export function shardOf(guildId: Snowflake, count: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(count));
}
