import { revisionIn, test } from '@guild-settings/testing/api';
import { IDS } from '@guild-settings/testing/people';
import { readChanges } from '@guild-settings/testing/stores';
import { describe, expect } from 'vitest';

const { guild } = IDS;

describe('managers at the same time', () => {
  test('who change different fields both succeed', async ({ api }) => {
    const { manager, otherManager } = api.tokens;
    await Promise.all([
      api.patch(guild, { prefix: '?' }, { token: manager }),
      api.patch(guild, { language: 'ja' }, { token: otherManager }),
    ]);
    expect(await (await api.get(guild)).json()).toMatchObject({ prefix: '?', language: 'ja' });
  });

  test('with 200 concurrent PATCHes get 200 revisions, in a change log that replays to the record', async ({ api }) => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => {
        const text = `${index}`;
        return api.patch(
          guild,
          [{ prefix: text }, { announcement_channel: text }, { enabledFeatures: [text] }][index % 3],
        );
      }),
    );
    const revisions = answers.map((answer) => revisionIn(answer));
    expect(revisions.sort((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    expect(readChanges(api).map((change) => change.revision)).toEqual(revisions);
    const replayed: Record<string, unknown> = { prefix: '!', announcement_channel: '', enabledFeatures: [] };
    for (const change of readChanges(api)) {
      expect(replayed).toMatchObject(change.before);
      Object.assign(replayed, change.after);
    }
    expect(await (await api.get(guild)).json()).toMatchObject(replayed);
  });

  test('who change under the same If-Match: exactly one succeeds', async ({ api }) => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        api.patch(guild, { announcement_channel: `channel-${index}` }, { headers: { 'if-match': '"0"' } }),
      ),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 412)]);
  });
});
