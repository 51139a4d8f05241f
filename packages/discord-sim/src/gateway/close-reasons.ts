import { GatewayCloseCodes } from 'discord-api-types/v10';

/**
 * The text that Discord sends with each close code.
 *
 * @see https://discord.com/developers/docs/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes
 */
export const CLOSE_REASONS: Readonly<Record<GatewayCloseCodes, string>> = {
  [GatewayCloseCodes.UnknownError]: 'Unknown error.',
  [GatewayCloseCodes.UnknownOpcode]: 'Unknown opcode.',
  [GatewayCloseCodes.DecodeError]: 'Error while decoding payload.',
  [GatewayCloseCodes.NotAuthenticated]: 'Not authenticated.',
  [GatewayCloseCodes.AuthenticationFailed]: 'Authentication failed.',
  [GatewayCloseCodes.AlreadyAuthenticated]: 'Already authenticated.',
  [GatewayCloseCodes.InvalidSeq]: 'Invalid seq.',
  [GatewayCloseCodes.RateLimited]: 'Rate limited.',
  [GatewayCloseCodes.SessionTimedOut]: 'Session timed out.',
  [GatewayCloseCodes.InvalidShard]: 'Invalid shard.',
  [GatewayCloseCodes.ShardingRequired]: 'Sharding required.',
  [GatewayCloseCodes.InvalidAPIVersion]: 'Invalid API version.',
  [GatewayCloseCodes.InvalidIntents]: 'Invalid intent(s).',
  [GatewayCloseCodes.DisallowedIntents]: 'Disallowed intent(s).',
};
