import { createGuildSettingsClient, withRequest } from '@guild-settings/client';
import { DEFAULT_SETTINGS, type GuildSettings, LANGUAGES, LIMITS } from '@guild-settings/contract';
import Database from 'better-sqlite3';
import { guildIds } from '../data/guild-ids.ts';
import { handleJobs } from './task.ts';

/** Brings the settings of new guilds into the service, or as plain rows into a file with its tables. */
export type ImportJob = {
  readonly guilds: number;
  /** How many guilds other jobs have had. */
  readonly from: number;
} & (
  | { readonly to: 'service'; readonly url: string; readonly token: string }
  | { readonly to: 'inserts'; readonly path: string }
);

interface Row {
  readonly guild: string;
  readonly settings: GuildSettings;
}

/** Calls in flight, as those of `import`. */
const CONCURRENT_CALLS = 2;

/** Returns guilds per second. */
handleJobs<ImportJob, number>(async (job) => {
  const rows = guildIds(job.guilds, job.from).map(rowOf);
  const started = performance.now();
  await (job.to === 'service' ? importRows(rows, job) : insertRows(rows, job.path));
  return rows.length / ((performance.now() - started) / 1_000);
});

/** Returns settings of which each differs from its default. */
function rowOf(guild: string, index: number): Row {
  const settings: GuildSettings = {
    prefix: `${index % 1_000}`,
    announcement_channel: String(BigInt(guild) + 1n),
    beta: true,
    language: LANGUAGES[1 + (index % (LANGUAGES.length - 1))] ?? 'hi',
    enabledFeatures: ['reminders'],
  };
  return { guild, settings };
}

async function importRows(rows: readonly Row[], { url, token }: { readonly url: string; readonly token: string }) {
  const client = createGuildSettingsClient({ url, token, timeoutMs: 60_000 });
  const batches = batchesOf(rows);
  const send = async () => {
    for (const guilds of batches) {
      const { guilds: outcomes } = await client.guilds.importMany.mutate({ guilds }, withRequest({}));
      const refused = outcomes.find((outcome) => 'problem' in outcome || Object.keys(outcome.changes).length === 0);
      if (refused !== undefined) throw new Error(`Expected changes, received ${JSON.stringify(refused)}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_CALLS }, send));
}

function* batchesOf(rows: readonly Row[]): Generator<Row[], void> {
  for (let at = 0; at < rows.length; at += LIMITS.importGuilds) yield rows.slice(at, at + LIMITS.importGuilds);
}

/** Inserts the same rows in one transaction: those of the guilds, and those of the change log. */
async function insertRows(rows: readonly Row[], path: string): Promise<void> {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  const guild = db.prepare(
    `INSERT INTO guilds (id, prefix, announcement_channel, beta, language, enabled_features, revision, presence, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'unknown', ?)`,
  );
  const change = db.prepare(
    `INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, before, after)
     VALUES (?, ?, ?, 'application', '80351110224678912', 'import', ?, ?)`,
  );
  const last = db.prepare<[], number>('SELECT last_revision FROM meta').pluck().get() ?? 0;
  db.transaction(() => {
    for (const [index, { guild: id, settings }] of rows.entries()) {
      const { prefix, announcement_channel, beta, language, enabledFeatures } = settings;
      const revision = last + 1 + index;
      const now = Date.now();
      const features = JSON.stringify(enabledFeatures);
      guild.run(id, prefix, announcement_channel, Number(beta), language, features, revision, now);
      change.run(revision, id, now, JSON.stringify(DEFAULT_SETTINGS), JSON.stringify(settings));
    }
    db.prepare('UPDATE meta SET last_revision = ?').run(last + rows.length);
  })();
  db.close();
}
