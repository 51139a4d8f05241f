import { expect } from 'vitest';
import { asBot, BOT_ID, BOT_TOKEN, CHANNEL, test } from '../testing/bot-sim.ts';

const HEADERS = { authorization: `Bot ${BOT_TOKEN}`, 'content-type': 'application/json' };

test('a result, a refusal and an unknown path are application/json, without a charset', async ({ discord }) => {
  for (const path of ['/users/@me', '/channels/1399999999999999999', '/nowhere']) {
    expect((await asBot(discord, 'GET', path)).headers.get('content-type')).toBe('application/json');
  }
});

test('a path may have its @ encoded', async ({ discord }) => {
  expect(await (await asBot(discord, 'GET', '/users/%40me')).json()).toMatchObject({ id: BOT_ID });
});

test('an empty body with a JSON type is no body', async ({ discord }) => {
  const path = `${discord.apiUrl}/channels/${CHANNEL.id}`;
  expect((await fetch(`${path}/typing`, { method: 'POST', headers: HEADERS })).status).toBe(204);
  const sent = await fetch(`${path}/messages`, { method: 'POST', headers: HEADERS, body: '{"content":"hi"}' });
  const { id } = (await sent.json()) as { id: string };
  expect((await fetch(`${path}/messages/${id}`, { method: 'DELETE', headers: HEADERS })).status).toBe(204);
});

test('refuses a body of text that is no JSON, or of another media type', async ({ discord }) => {
  const errors = { _errors: [{ code: 'CONTENT_TYPE_INVALID', message: expect.any(String) }] };
  for (const [type, body, refusal] of [
    ['application/json', '{"content":', { code: 50109 }],
    ['text/plain', 'hi', { code: 50035, errors }],
  ] as const) {
    const headers = { ...HEADERS, 'content-type': type };
    const response = await fetch(`${discord.apiUrl}/channels/${CHANNEL.id}/messages`, {
      method: 'POST',
      headers,
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toStrictEqual({ message: expect.any(String), ...refusal });
  }
});
