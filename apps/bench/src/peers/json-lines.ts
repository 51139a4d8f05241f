import { Readable } from 'node:stream';
import Database from 'better-sqlite3';
import Fastify from 'fastify';

/** All guilds as JSON lines: what one would write by hand to fill a bot's database. */
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
  readonly revision: number;
}

/** Lines that are written at once. */
const LINES = 500;

const db = new Database(DATABASE);
db.pragma('journal_mode = WAL');
const all = db.prepare<[], Row>('SELECT * FROM guilds ORDER BY revision');

function* chunks(): Generator<string> {
  let lines: string[] = [];
  for (const row of all.iterate()) {
    const guild = {
      id: row.id,
      name: row.name,
      icon: row.icon,
      prefix: row.prefix,
      announcement_channel: row.announcement_channel,
      beta: row.beta === 1,
      language: row.language,
      enabledFeatures: JSON.parse(row.enabled_features) as string[],
    };
    lines.push(`${JSON.stringify({ revision: row.revision, guild })}\n`);
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
