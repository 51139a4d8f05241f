import Database from 'better-sqlite3';
import Fastify from 'fastify';

/**
 * What one would write by hand: a Fastify route for each request, a row of better-sqlite3, a durable transaction for each
 * change. No credentials, no conditions, nothing checked.
 */
const { DATABASE = '', PORT = '0' } = process.env;

interface Row {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  readonly prefix: string;
  readonly announcement_channel: string;
  readonly beta: number;
  readonly language: string;
  readonly enabled_features: string;
}

const db = new Database(DATABASE);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
const select = db.prepare<[string], Row>('SELECT * FROM guilds WHERE id = ?');
const update = db.prepare('UPDATE guilds SET prefix = ?, revision = ?, updated_at = ? WHERE id = ?');
const log = db.prepare(
  `INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, before, after)
   VALUES (?, ?, ?, 'user', '1', 'rest', ?, ?)`,
);
const next = db
  .prepare<[], number>('UPDATE meta SET last_revision = last_revision + 1 RETURNING last_revision')
  .pluck();

function recordOf(row: Row) {
  return {
    id: row.id,
    name: row.name,
    icon: row.icon,
    prefix: row.prefix,
    announcement_channel: row.announcement_channel,
    beta: row.beta === 1,
    language: row.language,
    enabledFeatures: JSON.parse(row.enabled_features) as string[],
  };
}

const change = db.transaction((id: string, prefix: string) => {
  const row = select.get(id);
  const revision = next.get();
  if (row === undefined || revision === undefined) return undefined;
  const now = Date.now();
  update.run(prefix, revision, now, id);
  log.run(revision, id, now, JSON.stringify({ prefix: row.prefix }), JSON.stringify({ prefix }));
  return { ...row, prefix };
});

const app = Fastify();
app.get('/readyz', async () => ({ status: 'ok' }));
app.get<{ Params: { guild: string } }>('/guilds/:guild', async (request, reply) => {
  const row = select.get(request.params.guild);
  return row === undefined ? reply.code(404).send() : recordOf(row);
});
app.patch<{ Params: { guild: string }; Body: { prefix: string } }>('/guilds/:guild', async (request, reply) => {
  const row = change.immediate(request.params.guild, request.body.prefix);
  return row === undefined ? reply.code(404).send() : recordOf(row);
});
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
