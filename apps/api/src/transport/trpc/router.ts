import { getGuild } from '../../operations/get-guild.ts';
import { reportPresence } from '../../operations/report-presence.ts';
import { updateGuild } from '../../operations/update-guild.ts';
import { watchGuilds } from '../../operations/watch-guilds.ts';
import { router } from './procedures.ts';

/** Everything that can be asked of the service. */
export const appRouter = router({
  guilds: router({
    get: getGuild,
    update: updateGuild,
    watch: watchGuilds,
  }),
  presence: router({
    report: reportPresence,
  }),
});

export type AppRouter = typeof appRouter;
