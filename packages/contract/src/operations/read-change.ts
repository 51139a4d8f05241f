import { ChangeInput, HistoryEntry } from '../history.ts';
import { EXAMPLE_ENTRY } from './examples.ts';
import { operation } from './operation.ts';

export const readChange = operation({
  type: 'query',
  page: true,
  access: 'view',
  input: ChangeInput,
  output: HistoryEntry,
  rest: {
    method: 'GET',
    path: '/guilds/{guild}/history/{revision}',
    operationId: 'readChange',
    tag: 'history',
    summary: 'Read one change',
    description: 'Returns the change that made a revision of the guild.',
    response: 'The change.',
    examples: { change: { summary: 'A change', value: EXAMPLE_ENTRY } },
    requestHeaders: ['X-On-Behalf-Of'],
    problems: ['revision-unknown'],
  },
});
