import { type Difference, type Guild, GuildOrDifference, Restore, RestoreInput } from '@guild-settings/contract';
import { settingsIn } from '../domain/skipped.ts';
import { guildAccess } from './authorize.ts';
import { EXAMPLE_GUILD, EXAMPLE_UNDO } from './example-guild.ts';
import { logReaderOf } from './log-reader.ts';
import { operation } from './operation.ts';
import { makeChange } from './update-guild.ts';

export const restoreGuild = operation({
  type: 'mutation',
  page: true,
  access: guildAccess('edit'),
  input: RestoreInput,
  body: Restore,
  output: GuildOrDifference,
  rest: {
    method: 'POST',
    path: '/guilds/{guild}/restore',
    query: ['dry_run'],
    operationId: 'restoreGuild',
    tag: 'history',
    summary: 'Restore the settings of a guild',
    description:
      'Puts all settings back to how they were at a revision, as a new change. Restoring what is there already succeeds ' +
      'without a new revision.',
    response: 'The record after the change; with `dry_run`, the difference.',
    examples: {
      guild: { summary: 'A guild', value: EXAMPLE_GUILD },
      difference: { summary: 'With dry_run', value: EXAMPLE_UNDO },
    },
    requestHeaders: ['If-Match', 'If-None-Match', 'X-Audit-Log-Reason', 'X-On-Behalf-Of', 'Prefer'],
    responseHeaders: ['Arrival', 'Preference-Applied'],
    problems: ['revision-unknown', 'revision-mismatch', 'change-log-full', 'write-unconfirmed'],
    bodyExamples: { revision: { summary: 'A revision', value: { revision: 42 } } },
  },
  async handle(handled): Promise<Guild | Difference> {
    const { call, caller, input } = handled;
    const { history } = call.services;
    const { revision, dry_run: isPreview = false } = input;
    const reader = logReaderOf(call, caller);
    const made = await makeChange(handled, {
      fields: () => [...call.services.records.settings.byField.keys()],
      isPreview,
      write: (permission, options) => history.restore(permission, { revision, options, reader, isPreview }),
    });
    if (!('guild' in made)) return made;
    // A record has no field for it.
    if (made.skipped) call.response.skipped = settingsIn(made.skipped);
    return made.guild;
  },
});
