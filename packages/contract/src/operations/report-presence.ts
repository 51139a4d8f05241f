import { PresenceReceipt, PresenceReport } from '../presence.ts';
import { operation } from './operation.ts';

export const reportPresence = operation({
  type: 'mutation',
  access: 'application',
  input: PresenceReport,
  output: PresenceReceipt.strict().meta({ id: 'PresenceReceipt' }),
  // A snapshot of LIMITS.presenceGuilds guilds, each with the longest name.
  maxInputBytes: 2 * 1024 * 1024,
});
