import { FEATURES, LANGUAGES, LIMITS } from '@guild-settings/contract';
import { printedSeed, repetitions } from '@guild-settings/testing';
import { anyCharacter } from '@guild-settings/testing/any-character';
import { problemIn, sharedApi, type TestApi } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { exchange } from '@guild-settings/testing/raw-http';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';

const { guild } = IDS;
const api = sharedApi();

function send(method: string, feature: string, sent: Parameters<TestApi['send']>[1] = {}): Promise<Response> {
  const path = `/guilds/${guild}/features/${encodeURIComponent(feature)}`;
  return api().send(path, { method, token: api().tokens.manager, ...sent });
}

async function enabled(): Promise<unknown> {
  return ((await (await api().get(guild)).json()) as { enabledFeatures: unknown }).enabledFeatures;
}

describe('the catalogue', () => {
  test('lists every feature of the bot in every language, without credentials', async () => {
    const answer = await api().send('/features');
    const features = (await answer.json()) as typeof FEATURES;
    expect([answer.status, features]).toEqual([200, FEATURES]);
    expect(features.map(({ name }) => name)).toEqual(['reminders']);
    for (const { names, descriptions } of features) {
      expect(Object.keys(names).sort()).toEqual([...LANGUAGES].sort());
      expect(Object.keys(descriptions).sort()).toEqual([...LANGUAGES].sort());
    }
  });

  test('may be kept by any cache, and is not sent to a client that has it', async () => {
    const answer = await api().send('/features');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    const etag = answer.headers.get('etag') ?? '';
    const again = await api().send('/features', { headers: { 'if-none-match': `W/${etag}` } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await api().send('/features', { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  test('does not make a batch with a record public', async () => {
    const input = encodeURIComponent(JSON.stringify({ 1: { guild } }));
    const path = `/trpc/features.list,guilds.get?batch=1&input=${input}`;
    const answer = await api().send(path, { token: api().tokens.manager });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    expect((await api().send(path)).status).toBe(207);
  });
});

describe('one feature', () => {
  beforeEach(async () => {
    await api().patch(guild, { enabledFeatures: ['first', 'second'] });
  });

  test.each(['PUT', 'POST'])(
    'is enabled by %s, at the end of the list, and the answer is the record',
    async (method) => {
      const answer = await send(method, 'reminders');
      expect(answer.status).toBe(200);
      expect(await answer.json()).toMatchObject({ id: guild, enabledFeatures: ['first', 'second', 'reminders'] });
      expect(answer.headers.get('etag')).toBe((await api().get(guild)).headers.get('etag'));
    },
  );

  test('answers with Prefer: wait when the change has arrived', async () => {
    const answer = await send('PUT', 'reminders', { headers: { prefer: 'wait=1' } });
    expect([answer.headers.get('arrival'), answer.headers.get('preference-applied')]).toEqual(['away', 'wait=1']);
  });

  test(`is refused with 409 beside ${LIMITS.features} others, which stay, and can be disabled`, async () => {
    const names = Array.from({ length: LIMITS.features }, (_, index) => `f${index}`);
    await api().patch(guild, { enabledFeatures: names });
    const refused = await send('PUT', 'reminders');
    expect([refused.status, await problemIn(refused)]).toMatchObject([409, { type: '/problems/too-many-features' }]);
    expect((await send('PUT', 'f7')).status).toBe(200);
    expect(await enabled()).toEqual(names);
    expect((await send('DELETE', 'f7')).status).toBe(200);
    expect((await send('PUT', 'reminders')).status).toBe(200);
  });

  test.each([
    ['empty', '', 404],
    ['of 64 emoji', '👍'.repeat(64), 200],
    ['of 65 characters', 'x'.repeat(65), 400],
    ['with a control character', 'a\nb', 400],
    ['with an invisible character', 'remi\u200bnders', 400],
    ['that no bot knows', 'of-a-later-bot', 200],
  ])('with a name %s is answered %s', async (_name, feature, status) => {
    expect((await send('PUT', feature)).status).toBe(status);
  });

  test.each(['%', '%zz', '%ff', '%ed%a0%80'])('with the malformed name %s is a 400', async (name) => {
    const path = `/guilds/${guild}/features/${name}`;
    const request = `PUT ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api().tokens.manager}\r\nConnection: close\r\n\r\n`;
    expect((await exchange(api().url, request)).status).toBe(400);
  });

  const NAMES = repetitions(60, 2_000);

  test(`keeps each of ${NAMES} names as it was percent-encoded, whatever characters it has`, async () => {
    const character = fc.oneof(
      anyCharacter,
      fc.constantFrom('%', '/', '%2F', '%25', '?', '#', ';', '+', '\\', ' ', '..', ','),
    );
    // URLs cannot have a segment of only dots: browsers remove it, even if it is encoded.
    const name = fc
      .string({ unit: character, minLength: 1, maxLength: 20 })
      .filter(
        (text) =>
          !/^\.\.?$/.test(text) &&
          !/[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}]/u.test(text) &&
          [...text].length <= LIMITS.featureName,
      );
    await fc.assert(
      fc.asyncProperty(name, async (feature) => {
        await api().patch(guild, { enabledFeatures: [] });
        expect(await (await send('PUT', feature)).json()).toMatchObject({ enabledFeatures: [feature] });
        expect(await (await send('DELETE', feature)).json()).toMatchObject({ enabledFeatures: [] });
      }),
      { numRuns: NAMES, seed: printedSeed('feature-names') },
    );
  });

  test('is read by GET while it is enabled, and is 404 otherwise', async () => {
    const read = async (feature: string) => {
      const answer = await send('GET', feature);
      return [answer.status, await answer.json()];
    };
    expect(await read('first')).toEqual([200, { name: 'first', enabled: true }]);
    expect(await read('reminders')).toMatchObject([404, { type: '/problems/feature-not-enabled' }]);
    await send('POST', 'reminders');
    expect(await read('reminders')).toEqual([200, { name: 'reminders', enabled: true }]);
    await send('DELETE', 'reminders');
    expect((await read('reminders'))[0]).toBe(404);
    const result = await api().send(
      `/trpc/guilds.feature?input=${encodeURIComponent(JSON.stringify({ guild, feature: 'first' }))}`,
      {
        token: api().tokens.manager,
      },
    );
    expect(await result.json()).toEqual({ result: { data: { name: 'first', enabled: true } } });
  });

  test('has no PATCH: 405 with the methods that there are', async () => {
    const allow = 'DELETE, GET, HEAD, OPTIONS, POST, PUT';
    const answer = await send('PATCH', 'reminders');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    const options = await send('OPTIONS', 'reminders');
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
  });

  test('that is stored with an invisible character is read and can be disabled, and not be enabled', async () => {
    const stored = 'remi\u200bnders';
    const db = new Database(api().databasePath);
    db.prepare('UPDATE guilds SET settings = ? WHERE id = ?').run(JSON.stringify({ enabledFeatures: [stored] }), guild);
    db.close();
    expect([await enabled(), (await send('GET', stored)).status]).toEqual([[stored], 200]);
    expect(await (await send('PUT', 'first')).json()).toMatchObject({ enabledFeatures: [stored, 'first'] });
    expect(await (await send('DELETE', stored)).json()).toMatchObject({ enabledFeatures: ['first'] });
    expect((await send('PUT', stored)).status).toBe(400);
  });
});
