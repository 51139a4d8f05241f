import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import Fastify from 'fastify';
import { type GuildRow, recordOfRow } from './guild-rows.ts';

/** Serves all guilds as JSON lines: a minimal way to fill a bot's database. */
const { DATABASE = '', PORT = '0' } = process.env;

const LINES = 500;

const db = new Database(DATABASE);
db.pragma('journal_mode = WAL');
const all = db.prepare<[], GuildRow & { readonly revision: number }>('SELECT * FROM guilds ORDER BY revision');

function* chunks(): Generator<string> {
  let lines: string[] = [];
  for (const row of all.iterate()) {
    lines.push(`${JSON.stringify({ revision: row.revision, guild: recordOfRow(row) })}\n`);
    if (lines.length === LINES) {
      yield lines.join('');
      lines = [];
    }
  }
  yield lines.join('');
}

const app = Fastify();
app.get('/readyz', async () => ({ status: 'ok' }));
app.get('/guilds', (_request, reply) => reply.type('application/x-ndjson').send(Readable.from(chunks())));
await app.listen({ host: '127.0.0.1', port: Number(PORT) });
