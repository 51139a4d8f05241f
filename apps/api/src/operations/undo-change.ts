import { type Difference, type Guild, GuildOrDifference, UndoInput } from '@guild-settings/contract';
import { authorizeCaller, authorizerOf, changeOptions, guildAccess, writeAuthorized } from './authorize.ts';
import { EXAMPLE_GUILD, EXAMPLE_UNDO } from './example-guild.ts';
import { logReaderOf } from './log-reader.ts';
import { operation } from './operation.ts';
import { makeChange, versionAfter } from './update-guild.ts';

export const undoChange = operation({
  type: 'mutation',
  page: true,
  access: guildAccess('edit'),
  input: UndoInput,
  output: GuildOrDifference,
  rest: {
    method: 'POST',
    path: '/guilds/{guild}/history/{revision}/undo',
    query: ['dry_run'],
    operationId: 'undoChange',
    tag: 'history',
    summary: 'Undo a change',
    description:
      'Puts the fields that the change set back to their values before it, as a new change; a change of the access list is undone ' +
      'by managers. Never overwrites a later ' +
      'value: the response is 409 then. Undoing an undo makes the change again. Undoing what is undone already succeeds ' +
      'without a new revision.',
    response: 'The record after the change; with `dry_run`, the difference.',
    examples: {
      guild: { summary: 'A guild', value: EXAMPLE_GUILD },
      difference: { summary: 'With dry_run', value: EXAMPLE_UNDO },
    },
    requestHeaders: ['If-Match', 'If-None-Match', 'X-Audit-Log-Reason', 'X-On-Behalf-Of', 'Prefer'],
    responseHeaders: ['Arrival', 'Preference-Applied'],
    problems: [
      'revision-unknown',
      'later-change',
      'not-undoable',
      'revision-mismatch',
      'change-log-full',
      'write-unconfirmed',
    ],
    declaredProblems: ['reserved-setting'],
  },
  async handle(handled): Promise<Guild | Difference> {
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
      call.response.version = await versionAfter(call, back);
      return 'guild' in back ? back.guild : back;
    }
    const made = await makeChange(handled, {
      fields: () => Object.keys(changes),
      isPreview,
      write: (permission, options) => history.undo(permission, { revision, options, reader, isPreview }),
    });
    return 'guild' in made ? made.guild : made;
  },
});
