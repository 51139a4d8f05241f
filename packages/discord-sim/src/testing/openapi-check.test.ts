import { describe, expect, test } from 'vitest';
import { checkCalls, finder, uncheckedCalls } from './checked-calls.ts';
import type { HttpExchange } from './openapi-check.ts';
import { asBot, CHANNEL, startBotSim } from './test-sim.ts';

const PATH = `/channels/${CHANNEL.id}/messages`;

/** Returns an exchange of the simulator with some properties changed. */
async function exchange(change: Partial<HttpExchange>): Promise<HttpExchange> {
  await using discord = await startBotSim();
  await asBot(discord, 'POST', PATH, { content: 'hi' });
  const [recorded] = uncheckedCalls();
  if (!recorded) throw new Error('Expected a recorded call');
  return { ...recorded, ...change };
}

// Skipped unless DISCORD_OPENAPI names the file of Discord's OpenAPI document.
describe.skipIf(finder === null)("Discord's OpenAPI document checks every call of these tests", () => {
  test('a call as the document describes it has no deviation', async () => {
    const call = await exchange({});
    expect(call).toMatchObject({
      method: 'POST',
      url: `/api/v10${PATH}`,
      status: 200,
      requestBody: '{"content":"hi"}',
    });
    expect(finder?.deviations(call)).toStrictEqual([]);
  });

  test.each<[string, Partial<HttpExchange>, string]>([
    ['a response without a required property', { responseBody: '{}' }, "must have required property 'author'"],
    [
      'a response of another media type',
      { responseHeaders: { 'content-type': 'text/html' } },
      'Content-Type text/html',
    ],
    ['a status that is not described', { status: 500 }, 'status 500 is not described'],
    ['a field error without a code', { status: 400, responseBody: refused({ message: 'x' }) }, 'must match'],
    ['a rate limit that is no number', { responseHeaders: json({ 'x-ratelimit-reset': 'soon' }) }, 'X-RateLimit-Reset'],
    ['a success for a body that is not allowed', { requestBody: '{"content":5}' }, 'body /content must be string'],
    ['a success for an id that is none', { url: '/api/v10/channels/x/messages' }, 'path parameter channel_id'],
    ['a success without credentials', { requestHeaders: {} }, 'credentials of another kind'],
    ['a success of an unknown operation', { url: '/api/v10/nowhere' }, 'not in the document'],
  ])('%s is a deviation', async (_name, change, reason) => {
    expect(finder?.deviations(await exchange(change)).join('\n')).toContain(reason);
  });

  test('calls are checked once', async () => {
    await exchange({});
    expect(uncheckedCalls()).toHaveLength(1);
    expect(checkCalls()).toStrictEqual([]);
    expect(uncheckedCalls()).toHaveLength(0);
  });
});

function json(headers: Record<string, string>): Record<string, string> {
  return { 'content-type': 'application/json', ...headers };
}

function refused(error: unknown): string {
  return JSON.stringify({ code: 50_035, message: 'Invalid Form Body', errors: { content: { _errors: [error] } } });
}
