import { PresenceReceipt, PresenceReport } from '@guild-settings/contract';
import { requireFreshCaller } from './authorize.ts';
import { applicationOnly } from './caller-access.ts';
import { operation } from './operation.ts';

export const reportPresence = operation({
  type: 'mutation',
  access: applicationOnly,
  input: PresenceReport,
  output: PresenceReceipt.strict().meta({ id: 'PresenceReceipt' }),
  // A snapshot of LIMITS.presenceGuilds guilds, each with the longest name.
  maxInputBytes: 2 * 1024 * 1024,
  async handle({ caller, application, input, call }): Promise<PresenceReceipt> {
    await requireFreshCaller(call, caller);
    return call.services.presence.report(input, application.applicationId);
  },
});
