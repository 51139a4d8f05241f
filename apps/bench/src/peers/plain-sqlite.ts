import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { recordOfRow, rowReader, settingsOfRow } from './guild-rows.ts';

/**
 * A minimal service on SQLite: Fastify routes, better-sqlite3, a durable transaction for each change. No credentials, no
 * conditions, no validation.
 */
const { DATABASE = '', PORT = '0', LOG_LEVEL } = process.env;

const db = new Database(DATABASE);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
const read = rowReader(db);
const update = db.prepare('UPDATE guilds SET settings = ?, revision = ?, updated_at = ? WHERE id = ?');
const log = db.prepare(
  `INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, before, after)
   VALUES (?, ?, ?, 'user', '1', 'rest', ?, ?)`,
);
const next = db
  .prepare<[], number>('UPDATE meta SET last_revision = last_revision + 1 RETURNING last_revision')
  .pluck();

const change = db.transaction((id: string, prefix: string) => {
  const row = read(id);
  const revision = next.get();
  if (row === undefined || revision === undefined) return undefined;
  const now = Date.now();
  const before = settingsOfRow(row.settings);
  const settings = { ...before, prefix };
  update.run(JSON.stringify(settings), revision, now, id);
  log.run(revision, id, now, JSON.stringify({ prefix: before.prefix }), JSON.stringify({ prefix }));
  return { ...row, settings };
});

const app = Fastify({ logger: LOG_LEVEL === undefined ? false : { level: LOG_LEVEL } });
app.get('/readyz', async () => ({ status: 'ok' }));
app.get<{ Params: { guild: string } }>('/guilds/:guild', async (request, reply) => {
  const row = read(request.params.guild);
  return row === undefined ? reply.code(404).send() : recordOfRow(row);
});
app.patch<{ Params: { guild: string }; Body: { prefix: string } }>('/guilds/:guild', async (request, reply) => {
  const row = change.immediate(request.params.guild, request.body.prefix);
  return row === undefined ? reply.code(404).send() : recordOfRow(row);
});
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
