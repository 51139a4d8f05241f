import { PresenceReceipt, PresenceReport } from '@guild-settings/contract';
import { applicationOnly } from '../transport/trpc/procedures.ts';
import { requireFreshCaller } from './authorized-write.ts';

/** Takes in what a bot tells of the guilds it is in. */
export const reportPresence = applicationOnly
  .input(PresenceReport)
  .output(PresenceReceipt)
  .mutation(async ({ ctx, input }) => {
    await requireFreshCaller(ctx);
    return ctx.services.presence.report(input, ctx.principal.applicationId);
  });
