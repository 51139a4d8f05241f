import { HistoryInput, HistoryPage } from '../history.ts';
import { EXAMPLE_ENTRY } from './examples.ts';
import { LARGEST_RESULT_BYTES, operation } from './operation.ts';

export const readHistory = operation({
  type: 'query',
  page: true,
  access: 'view',
  input: HistoryInput,
  declared: (schemas) => ({ input: schemas.HistoryInput }),
  output: HistoryPage,
  maxOutputBytes: LARGEST_RESULT_BYTES,
  isOfManyRows: true,
  rest: {
    method: 'GET',
    path: '/guilds/{guild}/history',
    query: ['before', 'after', 'limit', 'actor', 'field', 'kind'],
    operationId: 'readHistory',
    tag: 'history',
    summary: 'Read the history of a guild',
    description:
      'Returns changes, the newest first. The header Link leads to the next part, and is absent with the last one. A part ' +
      'can have fewer entries than `limit`, when few of many changes match or they are large. Changes made meanwhile do not move a part.',
    response: 'A part of the history.',
    responseHeaders: ['Link'],
    examples: { history: { summary: 'One change', value: { entries: [EXAMPLE_ENTRY] } } },
    requestHeaders: ['X-On-Behalf-Of'],
    problems: [],
  },
});
