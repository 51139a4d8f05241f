import { Arrival, ArrivalInput } from '../arrival.ts';
import { LIST_BYTES, operation } from './operation.ts';

const EXAMPLE = {
  revision: 42,
  state: 'live',
  latencyMs: 12,
  watchers: [
    {
      name: 'bot-1, shards 0-3',
      shard: { id: 1, count: 4 },
      revision: 42,
      state: 'live',
      since: '2026-11-22T08:00:00.012Z',
    },
  ],
} satisfies Arrival;

/** Reads if a change of a guild is in use in every process that follows the guild. */
export const readArrival = operation({
  type: 'query',
  page: true,
  access: 'view',
  input: ArrivalInput,
  output: Arrival.meta({ id: 'Arrival' }),
  maxOutputBytes: LIST_BYTES,
  rest: {
    method: 'GET',
    path: '/guilds/{guild}/arrival',
    query: ['revision', 'wait'],
    operationId: 'readArrival',
    tag: 'guilds',
    summary: 'Read where a change is in use',
    description:
      'Processes of bots acknowledge each change when it is in their file and in their memory. The state is `live` when ' +
      'every connected process that follows the guild has acknowledged the change, `pending` while one has not, `rejected` ' +
      'when one could not apply it, and `away` when one has just lost its connection, or none is connected. Processes ' +
      'that are gone for longer are `away` for an hour and are not waited for; those that left on purpose are `left` for a ' +
      'day. With `wait`, the response is sent when the change is live, or when the time is over.',
    response: 'Where the change is in use.',
    examples: { live: { summary: 'In use everywhere', value: EXAMPLE } },
    requestHeaders: ['X-On-Behalf-Of'],
    problems: ['revision-unknown'],
  },
});
