import { type Difference, type Guild, GuildOrDifference, UndoInput } from '@guild-settings/contract';
import { guildManager } from './authorize.ts';
import { EXAMPLE_GUILD, EXAMPLE_UNDO } from './example-guild.ts';
import { logReaderOf } from './log-reader.ts';
import { operation } from './operation.ts';
import { makeChange } from './update-guild.ts';

/** Undoes one change of a guild. */
export const undoChange = operation({
  type: 'mutation',
  access: guildManager,
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
      'Puts the fields that the change set back to their values before it, as a new change. Never overwrites a later ' +
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
    const { history } = call.services;
    const { revision, dry_run: isPreview = false } = input;
    const reader = logReaderOf(call, caller);
    const made = await makeChange(handled, {
      fields: async () => Object.keys((await history.readEntry(guild, revision)).changes),
      isPreview,
      write: (permission, options) => history.undo(permission, { revision, options, reader, isPreview }),
    });
    return 'guild' in made ? made.guild : made;
  },
});
