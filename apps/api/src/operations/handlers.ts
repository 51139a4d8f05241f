import { type AnyOperation, type Operations, operations } from '@guild-settings/contract/operations';
import { acknowledge } from './acknowledge.ts';
import { eraseGuild } from './erase-guild.ts';
import { exportGuild } from './export-guild.ts';
import { followGuild } from './follow-guild.ts';
import { forgetUser } from './forget-user.ts';
import { getApplication } from './get-application.ts';
import { getGuild } from './get-guild.ts';
import type { DocumentOf, HandlersOf, ServedOperation } from './handler.ts';
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

const handlers: HandlersOf<Operations> = {
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

/** Every operation with its handler, by its full tRPC path, such as `guilds.get`. */
export const OPERATIONS_BY_PATH: ReadonlyMap<string, ServedOperation> = new Map(
  Object.entries(operations).flatMap(([group, members]) =>
    Object.entries<AnyOperation>(members).map(([name, operation]) => [
      `${group}.${name}`,
      { ...operation, ...handlerOf(group as keyof Operations, name) },
    ]),
  ),
);

/** Returns a handler from the table, whose type pairs it with an operation of the same grant, input and result. */
function handlerOf(group: keyof Operations, name: string): Pick<ServedOperation, 'handle' | 'documentOf'> {
  const handle = new Map(Object.entries<object>(handlers[group])).get(name) as ServedOperation['handle'] & {
    readonly documentOf?: DocumentOf;
  };
  return { handle, ...(handle.documentOf && { documentOf: handle.documentOf }) };
}

/** @throws Error for an unknown path */
export function operationOf(path: string): ServedOperation {
  const operation = OPERATIONS_BY_PATH.get(path);
  if (operation === undefined) throw new Error(`Expected the path of an operation, received ${path}`);
  return operation;
}
