import { GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { waitUntil } from '@guild-settings/testing';
import { EventSource } from 'eventsource';
import { expect, test } from 'vitest';
import { retryConnection } from './testing/client-calls.ts';
import { type RestartableApi, startRestartableApi } from './testing/restartable-api.ts';

const guild = GUILDS[0].id;
const headers = { authorization: `Bearer ${tokenOf('manager')}`, 'content-type': 'application/json' };

const EVENTS = ['guild', 'changed', 'arrival', 'ended'] as const;

/** The events of one guild as dispatched by an `EventSource`. */
function follow({ url }: RestartableApi) {
  const received: { readonly type: string; readonly data: Record<string, unknown> }[] = [];
  const withToken = (input: string | URL, init: object & { readonly headers?: object }) =>
    fetch(input, { ...init, headers: { ...init.headers, authorization: headers.authorization } });
  const source = new EventSource(`${url}/guilds/${guild}/events`, { fetch: withToken });
  for (const type of EVENTS) {
    source.addEventListener(type, ({ data }) => received.push({ type, data: JSON.parse(data) }));
  }
  return { received, [Symbol.dispose]: () => source.close() };
}

async function setPrefix({ url }: RestartableApi, prefix: string): Promise<void> {
  const request = { method: 'PATCH', headers, body: JSON.stringify({ prefix }) };
  const response = await retryConnection(() => fetch(`${url}/guilds/${guild}`, request));
  expect(response.status).toBe(200);
}

test('an EventSource follows a guild over a restart of the service: each change once, in order', async () => {
  await using api = await startRestartableApi();
  using events = follow(api);
  const prefixes = () =>
    events.received.flatMap(({ type, data }) =>
      type === 'changed' ? [(data.guild as { prefix: string }).prefix] : [],
    );
  await waitUntil(() => events.received.some(({ type }) => type === 'guild'), { message: 'the record at the start' });
  await setPrefix(api, '1');
  await waitUntil(() => prefixes().length === 1, { message: 'the first change' });
  await api.stop();
  await waitUntil(() => events.received.at(-1)?.type === 'ended', { message: 'the end of the stream' });
  expect(events.received.at(-1)?.data).toMatchObject({ reason: 'shutdown' });
  await api.start();
  // Before it reconnects: its pause is longer.
  await setPrefix(api, '2');
  await waitUntil(() => prefixes().length === 2, { message: 'the change that was made meanwhile' });
  await setPrefix(api, '3');
  await waitUntil(() => prefixes().length === 3, { message: 'the change after it' });
  expect(prefixes()).toEqual(['1', '2', '3']);
});
