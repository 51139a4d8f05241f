import { acknowledge } from './acknowledge.ts';
import { eraseGuild } from './erase-guild.ts';
import { exportGuild } from './export-guild.ts';
import { followGuild } from './follow-guild.ts';
import { forgetUser } from './forget-user.ts';
import { getApplication } from './get-application.ts';
import { getGuild } from './get-guild.ts';
import { importGuild } from './import-guild.ts';
import { importGuilds } from './import-guilds.ts';
import { listGuildChannels } from './list-channels.ts';
import { listGuildEmojis } from './list-emojis.ts';
import { listFeatures } from './list-features.ts';
import { listManagedGuilds } from './list-managed-guilds.ts';
import { listGuildMembers } from './list-members.ts';
import { listGuildRoles } from './list-roles.ts';
import { readAccess } from './read-access.ts';
import { readArrival } from './read-arrival.ts';
import { readCaller } from './read-caller.ts';
import { readChange } from './read-change.ts';
import { readFeature } from './read-feature.ts';
import { readHistory } from './read-history.ts';
import { readOwnGuild } from './read-own-guild.ts';
import { readSettings } from './read-settings.ts';
import { reportPresence } from './report-presence.ts';
import { restoreGuild } from './restore-guild.ts';
import { setAccess } from './set-access.ts';
import { disableFeature, enableFeature } from './switch-feature.ts';
import { undoChange } from './undo-change.ts';
import { updateGuild } from './update-guild.ts';
import { watchGuilds } from './watch-guilds.ts';

/** All operations of the API, by tRPC path. The router and the REST routes are derived from them. */
export const operations = {
  guilds: {
    get: getGuild,
    update: updateGuild,
    feature: readFeature,
    enableFeature,
    disableFeature,
    restore: restoreGuild,
    history: readHistory,
    change: readChange,
    undo: undoChange,
    access: readAccess,
    setAccess,
    export: exportGuild,
    import: importGuild,
    importMany: importGuilds,
    erase: eraseGuild,
    arrival: readArrival,
    channels: listGuildChannels,
    roles: listGuildRoles,
    emojis: listGuildEmojis,
    members: listGuildMembers,
    follow: followGuild,
    watch: watchGuilds,
    acknowledge,
  },
  features: { list: listFeatures },
  settings: { get: readSettings },
  presence: { report: reportPresence },
  users: { me: readCaller, guilds: listManagedGuilds, guild: readOwnGuild, forget: forgetUser },
  application: { get: getApplication },
};

export type Operations = typeof operations;

export { EXAMPLE_GUILD } from './examples.ts';
export {
  ACCESS,
  type AnyOperation,
  BODY_MEDIA_TYPES,
  type Deprecation,
  type Operation,
  type OperationAccess,
  type OperationType,
  type OperationTypes,
  type RequestHeaderName,
  type ResponseHeaderName,
  type RestRoute,
} from './operation.ts';
