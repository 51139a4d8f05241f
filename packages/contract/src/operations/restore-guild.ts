import { Restore, RestoreInput } from '../history.ts';
import { EXAMPLE_GUILD, EXAMPLE_UNDO } from './examples.ts';
import { operation, RecordOrDifference } from './operation.ts';

export const restoreGuild = operation({
  type: 'mutation',
  page: true,
  access: 'edit',
  input: RestoreInput,
  body: Restore,
  output: RecordOrDifference,
  rest: {
    method: 'POST',
    path: '/guilds/{guild}/restore',
    query: ['dry_run'],
    operationId: 'restoreGuild',
    tag: 'history',
    summary: 'Restore the settings of a guild',
    description:
      'Restores all settings to their state at a revision, as a new change. Restoring the present state succeeds ' +
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
});
