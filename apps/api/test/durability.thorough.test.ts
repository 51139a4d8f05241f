import { printedSeed, repetitions, seededRandom, temporaryFile, waitUntil } from '@guild-settings/testing';
import { revisionIn } from '@guild-settings/testing/api';
import { type ApiProcess, startApiProcess } from '@guild-settings/testing/api-programs';
import { CONTRACT } from '@guild-settings/testing/contract-check';
import { IDS, startWorld } from '@guild-settings/testing/people';
import { readChanges } from '@guild-settings/testing/stores';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';

const ROUNDS = repetitions(2, 200);
const WRITERS = 16;
const GUILDS = [IDS.guild, IDS.otherGuild, IDS.bigGuild];

interface Acknowledged {
  readonly guild: string;
  readonly revision: number;
  readonly record: { readonly announcement_channel: string; readonly enabledFeatures: readonly string[] };
}

test(`kill -9 while writing under load, ${ROUNDS} rounds: what was acknowledged is there, whole, without a gap`, async () => {
  const seed = printedSeed('durability');
  const random = seededRandom(seed);
  using file = temporaryFile();
  const databasePath = file.path;
  const { discord, tokens } = await startWorld(Date.now);
  await using _ = discord;
  const env = {
    DATABASE_URL: `file:${databasePath}`,
    DISCORD_API_URL: discord.apiUrl,
    DISCORD_APPLICATION_ID: IDS.application,
    RATE_LIMIT_PER_MINUTE: '0',
    CHANGE_LOG_BYTES_PER_DAY: '0',
  };
  const acknowledged: Acknowledged[] = [];
  let api: ApiProcess | undefined;
  try {
    for (let round = 0; round < ROUNDS; round++) {
      api = await startApiProcess(env);
      await verify(api.url, tokens.manager, acknowledged);
      const enough = acknowledged.length + 20 + Math.floor(random() * 80);
      const writers = Array.from({ length: WRITERS }, (_, writer) =>
        write(api?.url ?? '', tokens.manager, `${round}-${writer}`, acknowledged),
      );
      await waitUntil(() => acknowledged.length >= enough, { intervalMs: 1 });
      await api.end('SIGKILL');
      await Promise.all(writers);
    }
    api = await startApiProcess(env);
    await verify(api.url, tokens.manager, acknowledged);
    expect(await api.end('SIGTERM')).toEqual({ code: 0, signal: null });
    verifyLog(databasePath, acknowledged);
    console.log(`${acknowledged.length} acknowledged PATCHes survived ${ROUNDS} kills`);
  } finally {
    await api?.end('SIGKILL');
  }
});

/**
 * PATCHes until the service dies, and records what was acknowledged. Two fields have the same mark, to detect torn
 * records.
 */
async function write(url: string, token: string, name: string, acknowledged: Acknowledged[]): Promise<void> {
  for (let count = 0; ; count++) {
    const guild = GUILDS[count % GUILDS.length] ?? IDS.guild;
    const mark = `${name}-${count}`;
    try {
      const answer = await fetch(`${url}/guilds/${guild}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ announcement_channel: mark, enabledFeatures: [mark] }),
      });
      expect(answer.status).toBe(200);
      await CONTRACT.response('PATCH', `/guilds/${guild}`, answer);
      const record = (await answer.json()) as Acknowledged['record'];
      acknowledged.push({ guild, revision: revisionIn(answer), record });
    } catch (error) {
      if (error instanceof TypeError) return;
      throw error;
    }
  }
}

/** Each guild is at least as new as its newest acknowledged change, and not torn. */
async function verify(url: string, token: string, acknowledged: readonly Acknowledged[]): Promise<void> {
  for (const guild of GUILDS) {
    const newest = acknowledged
      .filter((one) => one.guild === guild)
      .reduce((max, one) => Math.max(max, one.revision), 0);
    const answer = await fetch(`${url}/guilds/${guild}`, { headers: { authorization: `Bearer ${token}` } });
    await CONTRACT.response('GET', `/guilds/${guild}`, answer);
    const record = (await answer.json()) as Acknowledged['record'];
    expect(revisionIn(answer)).toBeGreaterThanOrEqual(newest);
    if (newest > 0) expect(record.enabledFeatures).toEqual([record.announcement_channel]);
  }
}

/** Every acknowledged change is in the log unchanged, and the revisions have no gaps. */
function verifyLog(databasePath: string, acknowledged: readonly Acknowledged[]): void {
  const changes = readChanges({ databasePath });
  expect(changes.map((change) => change.revision)).toEqual(changes.map((_, index) => index + 1));
  for (const { guild, revision, record } of acknowledged) {
    expect(changes[revision - 1]).toMatchObject({
      guild_id: guild,
      after: { announcement_channel: record.announcement_channel },
    });
  }
  const db = new Database(databasePath, { readonly: true });
  const { last } = db.prepare('SELECT last_revision AS last FROM meta').get() as { last: number };
  const integrity = db.pragma('integrity_check', { simple: true });
  db.close();
  expect([last, integrity]).toEqual([changes.length, 'ok']);
}
