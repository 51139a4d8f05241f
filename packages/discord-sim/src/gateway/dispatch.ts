import { type GatewayDispatchPayload, GatewayOpcodes, type Snowflake } from 'discord-api-types/v10';

type Unnumbered<Payload> = Payload extends { t: unknown; d: unknown } ? Pick<Payload, 't' | 'd'> : never;

/** An event before a session has numbered it. */
export type Dispatch = Unnumbered<GatewayDispatchPayload>;

/** The event as it goes over the wire. RESUMED has an empty object for data, though its type says none. */
export function frame({ t, d }: Dispatch, s: number): string {
  return JSON.stringify({ op: GatewayOpcodes.Dispatch, t, d: d ?? {}, s });
}

/**
 * The shard that hears of a guild.
 *
 * @see https://discord.com/developers/docs/events/gateway#sharding
 */
export function shardOf(guildId: Snowflake, count: number): number {
  return Number((BigInt(guildId) >> 22n) % BigInt(count));
}
