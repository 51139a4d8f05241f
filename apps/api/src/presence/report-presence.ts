import { PresenceReceipt, PresenceReport } from '@guild-settings/contract';
import { applicationOnly } from '../trpc.ts';

/** Takes in what a bot tells of the guilds it is in. */
export const reportPresence = applicationOnly
  .input(PresenceReport)
  .output(PresenceReceipt)
  .mutation(({ ctx, input }) => ctx.services.presence.report(input, ctx.principal.applicationId));
