import type { Guild } from '@guild-settings/contract';
import { SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { edit, received } from '../draft/draft.ts';
import { DraftStore } from '../draft/draft-store.ts';
import { theirsOf } from '../draft/fields.ts';
import { ModelledService } from '../draft/testing/modelled-service.ts';
import { type Outcome, saveFailureOf } from './save-outcome.ts';
import { createSaver } from './saver.ts';

afterEach(() => void vi.unstubAllGlobals());

const GUILD = '197038439483310086';
const tagOf = (revision: number) => `"${revision}-0k3x9w2a5q"`;

interface PageOptions {
  readonly onRead?: (store: DraftStore) => void;
  /** True: a proxy responds in the place of the service, after it has passed a change on. */
  readonly isAnswerReplaced?: boolean;
}

/**
 * A page with an edit of the prefix, to which an event has brought a record. `service` contains the changes by others.
 */
function openPage({ onRead = () => {}, isAnswerReplaced = false }: PageOptions = {}) {
  const { settings } = new ModelledService().now;
  const service = { settings: settings as Guild, revision: 8 };
  const sent: { readonly ifMatch: string | null; readonly body: object }[] = [];
  const entries = new Map<string, string>();
  const storage = {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
    removeItem: (key: string) => void entries.delete(key),
  };
  const theirs = theirsOf(service.settings, 8);
  const store = new DraftStore({ storage, key: 'draft', theirs, declared: SPECIFIED_SETTINGS });
  store.update(edit, 'prefix', 'mine');
  vi.stubGlobal('fetch', async (_url: unknown, init: RequestInit = {}) => {
    const answer = () =>
      Response.json({ result: { data: service.settings } }, { headers: { etag: tagOf(service.revision) } });
    if (init.method !== 'POST') {
      const read = answer();
      onRead(store);
      return read;
    }
    const ifMatch = new Headers(init.headers).get('if-match');
    const { guild: _, ...body } = JSON.parse(String(init.body)) as Record<string, unknown>;
    sent.push({ ifMatch, body });
    service.revision += 1;
    service.settings = { ...service.settings, ...body } as Guild;
    return isAnswerReplaced ? new Response('<h1>Welcome</h1>') : answer();
  });
  let outcome: Outcome = { kind: 'none' };
  const saver = createSaver({
    client: new QueryClient(),
    guild: GUILD,
    store,
    setOutcome: (next) => {
      outcome = typeof next === 'function' ? next(outcome) : next;
    },
    setIssues: () => {},
  });
  return { service, sent, store, saver, outcome: () => outcome };
}

test('a change of others that is read with the tag is a conflict, and is not overwritten', async () => {
  const { service, sent, saver, outcome } = openPage();
  service.settings = { ...service.settings, prefix: 'theirs' };
  service.revision = 9;
  await saver.save();
  expect(sent).toEqual([]);
  expect(service.settings.prefix).toBe('theirs');
  expect(outcome()).toMatchObject({ kind: 'failed', failure: 'conflicts' });
});

test('a page of a proxy in the place of the answer does not deny a change that was made', async () => {
  const { sent, saver, outcome } = openPage({ isAnswerReplaced: true });
  await saver.save();
  expect(sent).toHaveLength(1);
  expect(outcome()).toMatchObject({ kind: 'saved', revision: 9 });
});

test('no change is sent without a condition, also when an event overtakes the tag', async () => {
  let events = 0;
  const { service, sent, saver } = openPage({
    onRead: (store) => {
      if (events === 1) return;
      events = 1;
      service.revision = 9;
      service.settings = { ...service.settings, beta: true };
      store.update(received, theirsOf(service.settings, 9));
    },
  });
  await saver.save();
  expect(sent).toEqual([{ ifMatch: tagOf(9), body: { prefix: 'mine' } }]);
});

test('the record of a restored backup, which has fewer revisions, is taken with its tag', async () => {
  const { service, sent, saver } = openPage();
  service.revision = 5;
  await saver.save();
  expect(sent).toEqual([{ ifMatch: tagOf(5), body: { prefix: 'mine' } }]);
});

test.each([
  ['discord-unavailable', 'unreachable'],
  ['store-unavailable', 'unreachable'],
  ['request-timeout', 'unreachable'],
  ['write-unconfirmed', 'unconfirmed'],
  ['commit-delayed', 'unconfirmed'],
  [undefined, 'unconfirmed'],
])('a service that is unavailable for the reason %s leaves a change %s', (slug, failure) => {
  expect(saveFailureOf('unavailable', slug)).toBe(failure);
});
