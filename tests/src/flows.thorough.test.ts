import { readFileSync } from 'node:fs';
import { createGuildSettingsClient, withRequest } from '@guild-settings/client';
import { GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { openReplica } from '@guild-settings/replica';
import { executedFiles, listedFiles, temporaryFolder, waitUntil } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { type RestartableApi, startRestartableApi } from './testing/restartable-api.ts';

const DOCUMENT = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');
const CALL = listedFiles(DOCUMENT, '## The way of a call through the client').map(
  (file) => `packages/client/src/${file}`,
);
const EVENT = listedFiles(DOCUMENT, '## The way of an event');

/** Files of the acknowledgement that follows an event. */
const ACKNOWLEDGEMENT = /^(?:arrival|operations|transport\/(?:trpc|docs))\/|\/acknowledger\.ts$/;

const token = tokenOf('application');
const guild = GUILDS[0].id;

/** Returns the files of the api, the client and the replica that are executed during some work, each time that it is done. */
async function filesOf(work: (nth: number) => Promise<void>): Promise<string[]> {
  const nameOf = (url: string) => {
    const [, part, file] =
      /\/(apps\/api|packages\/client|packages\/replica)\/src\/(?!testing\/)(.*)\.ts$/.exec(url) ?? [];
    return part === undefined ? undefined : `${part === 'apps/api' ? '' : `${part}/src/`}${file}.ts`;
  };
  // Caches are filled, and lazily compiled code is compiled.
  for (const nth of [0, 1, 2]) await work(nth);
  const first = await executedFiles(nameOf, () => work(3));
  const second = await executedFiles(nameOf, () => work(4));
  // Work of a timer may run during one of them.
  return first.filter((file) => second.includes(file));
}

/** Changes a guild without the client, and waits until the change is in use. */
async function change({ url }: RestartableApi, prefix: string, waitSeconds: number): Promise<void> {
  const prefer = `wait=${waitSeconds}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', prefer };
  const body = JSON.stringify({ prefix });
  const response = await fetch(`${url}/guilds/${guild}`, { method: 'PATCH', headers, body });
  expect(response.status).toBe(200);
  await response.text();
}

test('a call passes at most 9 files of the client, which docs/architecture.md lists', async () => {
  await using api = await startRestartableApi();
  const files = await filesOf(async (nth) => {
    const client = createGuildSettingsClient({ url: api.url, token });
    await client.guilds.update.mutate({ guild, prefix: `${nth}` }, withRequest({ auditReason: 'a reason' }));
  });
  expect(files.filter((file) => file.startsWith('packages/client/'))).toEqual(CALL.toSorted());
  expect(CALL.length).toBeLessThanOrEqual(9);
});

test('an event passes the files that docs/architecture.md lists, from the commit to the memory of a bot', async () => {
  await using api = await startRestartableApi();
  using folder = temporaryFolder();
  const withoutReplica = await filesOf((nth) => change(api, `a${nth}`, 0));
  const shards = { ids: [0, 1, 2], count: 4 };
  const replica = openReplica({ apiUrl: api.url, credentials: token, path: folder.file('bot.db'), shards });
  await waitUntil(() => replica.status.state === 'LIVE', { message: 'live' });
  let changes = 0;
  replica.on('change', () => {
    changes += 1;
  });
  const files = await filesOf(async (nth) => {
    await change(api, `b${nth}`, 10);
    expect(replica.get(guild).prefix).toBe(`b${nth}`);
  });
  expect(changes).toBe(5);
  expect(EVENT.filter((file) => !files.includes(file))).toEqual([]);
  const others = [...EVENT, ...CALL, ...withoutReplica];
  expect(files.filter((file) => !others.includes(file) && !ACKNOWLEDGEMENT.test(file))).toEqual([]);
  await replica.close();
});
