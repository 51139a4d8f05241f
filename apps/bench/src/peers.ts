import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DEFAULT_SETTINGS, GuildInput } from '@guild-settings/contract';
import { initTRPC, TRPCError } from '@trpc/server';
import { fastifyTRPCPlugin } from '@trpc/server/adapters/fastify';
import Database from 'better-sqlite3';
import Fastify, { type FastifyInstance } from 'fastify';
import pg from 'pg';

/** The alternatives, as small servers selected by the first argument. Without credentials and preconditions. */
const PEERS: Readonly<Record<string, () => unknown>> = {
  'plain-sqlite': plainSqlite,
  'plain-postgres': plainPostgres,
  'trpc-adapter': trpcAdapter,
  'json-lines': jsonLines,
  'socket-loop': socketLoop,
};

const { DATABASE = '', PORT = '0', LOG_LEVEL } = process.env;
await PEERS[process.argv[2] ?? '']?.();

/** A minimal service on SQLite: Fastify routes, better-sqlite3, a durable transaction per change. */
async function plainSqlite(): Promise<void> {
  const db = openSqlite();
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
    const before = settingsOf(row);
    const settings = { ...before, prefix };
    update.run(JSON.stringify(settings), revision, now, id);
    log.run(revision, id, now, JSON.stringify({ prefix: before.prefix }), JSON.stringify({ prefix }));
    return { ...row, settings };
  });
  await serveGuilds(
    async (id) => read(id),
    async (id, prefix) => change.immediate(id, prefix),
  );
}

/**
 * A minimal service on PostgreSQL: a query per GET, a transaction per PATCH, a connection pool. A sequence numbers its
 * log, so that writers do not wait for one another.
 */
async function plainPostgres(): Promise<void> {
  const pool = new pg.Pool({ connectionString: DATABASE, max: 10 });
  const read = async (id: string) => (await pool.query<GuildRow>('SELECT * FROM guilds WHERE id = $1', [id])).rows[0];
  await serveGuilds(read, async (id, prefix) => {
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
  });
}

type FoundRow = Promise<GuildRow | undefined>;

async function serveGuilds(
  read: (id: string) => FoundRow,
  change: (id: string, prefix: string) => FoundRow,
): Promise<void> {
  const app = Fastify({ logger: LOG_LEVEL === undefined ? false : { level: LOG_LEVEL } });
  app.get<{ Params: { guild: string } }>('/guilds/:guild', async (request, reply) => {
    const row = await read(request.params.guild);
    return row === undefined ? reply.code(404).send() : recordOf(row);
  });
  app.patch<{ Params: { guild: string }; Body: { prefix: string } }>('/guilds/:guild', async (request, reply) => {
    const row = await change(request.params.guild, request.body.prefix);
    return row === undefined ? reply.code(404).send() : recordOf(row);
  });
  await listen(app);
}

/**
 * The service's read procedure behind tRPC's Fastify adapter, without its middleware: an input schema, a path and a
 * row.
 */
async function trpcAdapter(): Promise<void> {
  const read = rowReader(openSqlite());
  const t = initTRPC.create();
  const get = t.procedure.input(GuildInput).query(({ input }) => {
    const row = read(input.guild);
    if (row === undefined) throw new TRPCError({ code: 'NOT_FOUND' });
    return recordOf(row);
  });
  const router = t.router({ guilds: t.router({ get }) });
  const app = Fastify({ routerOptions: { maxParamLength: 5_000 } });
  await app.register(fastifyTRPCPlugin, { prefix: '/trpc', trpcOptions: { router } });
  await listen(app);
}

/** All guilds as JSON lines: a minimal way to fill a bot's database. */
async function jsonLines(): Promise<void> {
  const page = openSqlite().prepare<[number], GuildRow & { readonly revision: number }>(
    'SELECT * FROM guilds WHERE revision > ? ORDER BY revision LIMIT 500',
  );
  function* chunks(): Generator<string> {
    for (let rows = page.all(0); rows.length > 0; rows = page.all(rows.at(-1)?.revision ?? 0))
      yield rows.map((row) => `${JSON.stringify({ revision: row.revision, guild: recordOf(row) })}\n`).join('');
  }
  const app = Fastify();
  app.get('/guilds', (_request, reply) => reply.type('application/x-ndjson').send(Readable.from(chunks())));
  await listen(app);
}

/**
 * A minimal watch: after the response to a PATCH, an event is written to one socket after another. It stores nothing,
 * and watchers cannot resume. If events were written before the response, they would arrive first, and nothing could be
 * measured.
 */
function socketLoop(): void {
  const watchers = new Set<Socket>();
  let revision = 0;
  const server = createServer(async (request, response) => {
    const { url = '', method, socket } = request;
    if (url === '/readyz') return void response.end();
    if (method === 'PATCH') {
      const { prefix } = JSON.parse(await text(request)) as Settings;
      const id = url.slice(url.lastIndexOf('/') + 1);
      const guild = recordOf({ id, name: `Guild ${id}`, icon: null, settings: { prefix } });
      revision += 1;
      response.end(JSON.stringify(guild));
      const event = Buffer.from(
        `data: ${JSON.stringify({ type: 'guild', revision, guild })}\nid: ${EPOCH}-${revision}\n\n`,
      );
      for (const watcher of watchers) watcher.write(event);
      return;
    }
    socket.setNoDelay();
    socket.write(
      'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\ndata: {"type":"live"}\n\n',
    );
    watchers.add(socket);
    socket.on('close', () => watchers.delete(socket));
  });
  server.listen(Number(PORT), '127.0.0.1');
}

const EPOCH = '3f0c2a34-0000-4000-8000-000000000000';

async function listen(app: FastifyInstance): Promise<void> {
  app.get('/readyz', async () => ({ status: 'ok' }));
  await app.listen({ host: '127.0.0.1', port: Number(PORT) });
}

function openSqlite(): Database.Database {
  const db = new Database(DATABASE);
  db.pragma('journal_mode = WAL');
  return db;
}

interface GuildRow {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  /** JSON from SQLite, and an object from PostgreSQL. */
  readonly settings: string | Settings;
}

interface Settings {
  readonly prefix: string;
}

function recordOf(row: GuildRow) {
  const { id, name, icon } = row;
  return { id, name, icon, ...DEFAULT_SETTINGS, ...settingsOf(row) };
}

function settingsOf({ settings }: GuildRow): Settings {
  return typeof settings === 'string' ? (JSON.parse(settings) as Settings) : settings;
}

function rowReader(db: Database.Database): (id: string) => GuildRow | undefined {
  const select = db.prepare<[string], GuildRow>('SELECT * FROM guilds WHERE id = ?');
  return (id) => select.get(id);
}
