import { HistoryInput, HistoryPage } from '@guild-settings/contract';
import { guildAccess } from './authorize.ts';
import { EXAMPLE_ENTRY } from './example-entry.ts';
import { logReaderOf } from './log-reader.ts';
import { LARGEST_RESULT_BYTES, operation } from './operation.ts';

export const readHistory = operation({
  type: 'query',
  page: true,
  access: guildAccess('view'),
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
  async handle({ caller, guild, input, call }): Promise<HistoryPage> {
    const { guild: id, ...query } = input;
    const { entries, nextBefore } = await call.services.history.read(guild, query, logReaderOf(call, caller));
    if (nextBefore !== undefined) {
      const parameters = Object.entries({ ...query, before: nextBefore }).map(([name, value]) => [name, String(value)]);
      call.response.next = `/guilds/${id}/history?${new URLSearchParams(Object.fromEntries(parameters))}`;
    }
    return { entries };
  },
});
