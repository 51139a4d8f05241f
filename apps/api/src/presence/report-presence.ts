import { PresenceReceipt, PresenceReport } from '@guild-settings/contract';
import { requireFreshCaller } from '../guilds/authorized-write.ts';
import { applicationOnly } from '../trpc.ts';

/** Takes in what a bot tells of the guilds it is in. */
export const reportPresence = applicationOnly
  .input(PresenceReport)
  .output(PresenceReceipt)
  .mutation(async ({ ctx, input }) => {
    await requireFreshCaller(ctx);
    return ctx.services.presence.report(input, ctx.principal.applicationId);
  });
