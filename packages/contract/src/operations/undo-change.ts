import { UndoInput } from '../history.ts';
import { EXAMPLE_GUILD, EXAMPLE_UNDO } from './examples.ts';
import { operation, RecordOrDifference } from './operation.ts';

export const undoChange = operation({
  type: 'mutation',
  page: true,
  access: 'edit',
  input: UndoInput,
  output: RecordOrDifference,
  rest: {
    method: 'POST',
    path: '/guilds/{guild}/history/{revision}/undo',
    query: ['dry_run'],
    operationId: 'undoChange',
    tag: 'history',
    summary: 'Undo a change',
    description:
      'Restores the fields of the change to their values before it, as a new change; a change of the access list is undone ' +
      'by managers. Never overwrites a later ' +
      'value: the response is then 409. Undoing an undo makes the change again. Undoing a change twice succeeds ' +
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
});
