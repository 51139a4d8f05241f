import { getGuild } from './guilds/get-guild.ts';
import { updateGuild } from './guilds/update-guild.ts';
import { watchGuilds } from './guilds/watch-guilds.ts';
import { reportPresence } from './presence/report-presence.ts';
import { router } from './trpc.ts';

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
