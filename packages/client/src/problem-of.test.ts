import { PROBLEMS } from '@guild-settings/contract';
import { rejectionOf } from '@guild-settings/testing';
import { GUILD, sendJson, sendProblem, startServer } from '@guild-settings/testing/client';
import { expect, test } from 'vitest';
import { createGuildSettingsClient } from './client.ts';
import { hasProblem, isGuildSettingsError, problemOf, problemSlugOf } from './problem-of.ts';

const token = 'a-token-that-is-good-enough';

async function failedRead(answer: Parameters<typeof startServer>[0]): Promise<unknown> {
  await using server = await startServer(answer);
  const client = createGuildSettingsClient({ url: server.url, token, retries: 0 });
  return await rejectionOf(client.guilds.get.query({ guild: GUILD.id }));
}

test('gives the problem that the service answered with', async () => {
  const error = await failedRead((request, response) =>
    sendProblem(request, response, 'revision-mismatch', { current: GUILD }),
  );
  expect(isGuildSettingsError(error)).toBe(true);
  expect(problemOf(error)).toMatchObject({ status: 412, type: '/problems/revision-mismatch', current: GUILD });
  expect(problemSlugOf(error)).toBe('revision-mismatch');
  expect(hasProblem(error, 'revision-mismatch')).toBe(true);
  expect(hasProblem(error, 'internal')).toBe(false);
});

test('gives the fields in conflict and the invitation of the bot, which the service sends beside the problem', async () => {
  const conflict = { field: 'prefix', from: '1', to: '2', revision: 3, at: '2026-11-22T08:00:00.000Z' };
  const conflicts = [{ ...conflict, actor: { kind: 'user' as const, id: null } }];
  const inviteUrl = 'https://discord.com/oauth2/authorize?client_id=80351110224678912';
  for (const [slug, details] of [
    ['later-change', { conflicts }],
    ['bot-absent', { inviteUrl }],
  ] as const) {
    const error = await failedRead((request, response) => sendProblem(request, response, slug, details));
    expect(problemOf(error)).toMatchObject({ status: PROBLEMS[slug].status, ...details });
  }
});

test('gives a problem with fields and details that this version does not know, without them', async () => {
  const error = await failedRead((_request, response) => {
    const text = { title: 'New', detail: 'new', message: 'new', code: 'CONFLICT' };
    const unreadable = { conflicts: [{ field: 'prefix' }], inviteUrl: {}, retryAfter: 0.5 };
    const details = { added: 1, current: { ...GUILD, language: 'fr' }, ...unreadable };
    sendJson(response, 409, { type: '/problems/later-change', status: 409, instance: '/trpc', ...text, ...details });
  });
  expect(problemSlugOf(error)).toBe('later-change');
  expect(problemOf(error)).toEqual(expect.not.objectContaining({ added: 1 }));
});

test('gives the problem of a request that was refused before any procedure saw it', async () => {
  const error = await failedRead((_request, response) => {
    const type = 'http://service.example/problems/body-too-large';
    const text = { title: 'Body too large', detail: 'too large', message: 'too large', code: 'PAYLOAD_TOO_LARGE' };
    sendJson(response, 413, { type, status: 413, instance: '/trpc', ...text });
  });
  expect(problemSlugOf(error)).toBe('body-too-large');
});

test('gives no problem for a network failure', async () => {
  const error = await failedRead((_request, response) => response.destroy());
  expect(isGuildSettingsError(error)).toBe(true);
  expect(problemOf(error)).toBeUndefined();
});

test('gives no kind of problem for one that the catalogue does not know', async () => {
  const error = await failedRead((_request, response) => {
    const text = { title: 'New', detail: 'new', message: 'new', code: 'BAD_REQUEST' };
    sendJson(response, 400, { type: '/problems/constructor', status: 400, instance: '/trpc', ...text });
  });
  expect(problemOf(error)).toMatchObject({ title: 'New' });
  expect(problemSlugOf(error)).toBeUndefined();
});

test.each([undefined, null, 'text', new Error('other')])('knows nothing of %s', (error) => {
  expect(isGuildSettingsError(error)).toBe(false);
  expect(problemOf(error)).toBeUndefined();
});
