import { getGuild } from './get-guild.ts';
import { reportPresence } from './report-presence.ts';
import { updateGuild } from './update-guild.ts';
import { watchGuilds } from './watch-guilds.ts';

/** Everything that the API can do, by its tRPC path. */
export const operations = {
  guilds: { get: getGuild, update: updateGuild, watch: watchGuilds },
  presence: { report: reportPresence },
};
