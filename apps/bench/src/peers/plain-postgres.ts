import Fastify from 'fastify';
import pg from 'pg';
import { type GuildRow, recordOfRow } from './guild-rows.ts';

/**
 * A minimal service on PostgreSQL: a query for each GET, a transaction for each PATCH, a connection pool. A sequence numbers
 * its log, so that writers do not wait for one another.
 */
const { DATABASE = '', PORT = '0' } = process.env;

const pool = new pg.Pool({ connectionString: DATABASE, max: 10 });

async function change(id: string, prefix: string): Promise<GuildRow | undefined> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<GuildRow>(
      "UPDATE guilds SET settings = jsonb_set(settings, '{prefix}', to_jsonb($1::text)), updated_at = $2 WHERE id = $3 RETURNING *",
      [prefix, Date.now(), id],
    );
    await client.query(
      `INSERT INTO changes (revision, guild_id, at, actor_kind, actor_id, origin, before, after)
       VALUES (nextval('plain_revisions'), $1, $2, 'user', '1', 'rest', '{}', $3)`,
      [id, Date.now(), JSON.stringify({ prefix })],
    );
    await client.query('COMMIT');
    return rows[0];
  } finally {
    client.release();
  }
}

const app = Fastify();
app.get('/readyz', async () => ({ status: 'ok' }));
app.get<{ Params: { guild: string } }>('/guilds/:guild', async (request, reply) => {
  const { rows } = await pool.query<GuildRow>('SELECT * FROM guilds WHERE id = $1', [request.params.guild]);
  return rows[0] === undefined ? reply.code(404).send() : recordOfRow(rows[0]);
});
app.patch<{ Params: { guild: string }; Body: { prefix: string } }>('/guilds/:guild', async (request, reply) => {
  const row = await change(request.params.guild, request.body.prefix);
  return row === undefined ? reply.code(404).send() : recordOfRow(row);
});
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
