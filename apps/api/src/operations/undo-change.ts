import type { Operations } from '@guild-settings/contract/operations';
import { authorizeCaller, authorizerOf } from './access.ts';
import { logReaderOf } from './caller.ts';
import type { Handler } from './handler.ts';
import { changeOptions, makeChange, versionAfter, writeAuthorized } from './write.ts';

export const undoChange: Handler<Operations['guilds']['undo']> = async (handled) => {
  const { call, caller, guild, input } = handled;
  const { accessLists, history } = call.services;
  const { revision, dry_run: isPreview = false } = input;
  const reader = logReaderOf(call, caller);
  const { kind, changes } = await history.readEntry(guild, revision);
  if (kind === 'access') {
    const managed = await authorizeCaller(call, caller, { id: guild.id, authorize: authorizerOf(call, 'manage') });
    const access = { ...managed, authorize: authorizerOf(call, 'manage') };
    const computation = { revision, options: changeOptions(call, caller), reader, isPreview };
    const back = await writeAuthorized(call, access, (permission) => accessLists.undo(permission, computation));
    return { body: 'guild' in back ? back.guild : back, version: await versionAfter(call, back) };
  }
  const { made, facts } = await makeChange(handled, {
    fields: () => Object.keys(changes),
    isPreview,
    write: (permission, options) => history.undo(permission, { revision, options, reader, isPreview }),
  });
  return { body: 'guild' in made ? made.guild : made, ...facts };
};
