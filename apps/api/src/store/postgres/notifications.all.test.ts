import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { freePort, rejectionOf, startProgram, startTestPostgres, temporaryFolder } from '@guild-settings/testing';
import { migratedDatabase, openTestPostgres } from '@guild-settings/testing/stores';
import { afterAll, expect, test } from 'vitest';
import { NotificationsLostError } from '../store.ts';

const server = await startTestPostgres();
afterAll(() => server[Symbol.asyncDispose]());

/** Path of PgBouncer on Debian. */
const PGBOUNCER = '/usr/sbin/pgbouncer';

const NOBODY = 65_534;

/** The type of the message with which PostgreSQL delivers a notification. */
const NOTIFICATION_RESPONSE = 'A';

test('a start behind a pooler that drops notifications is refused, and names the way out', async () => {
  const url = await migratedDatabase(server);
  await using pooler = await startDroppingPooler(Number(new URL(url).port));
  const error = await rejectionOf(openTestPostgres(withPort(url, pooler.port), undefined, undefined, 50));
  expect(error).toBeInstanceOf(NotificationsLostError);
  expect(String(error)).toMatch(/did not arrive within 0.05 s. PgBouncer in transaction mode .* set DATABASE_URL to/);
  expect(pooler.dropped()).toBeGreaterThan(0);
});

// Debian's package `pgbouncer`.
test.skipIf(!existsSync(PGBOUNCER))('PgBouncer is refused in transaction mode, and used in session mode', async () => {
  const url = await migratedDatabase(server);
  {
    await using pooler = await startPgBouncer(url, 'transaction');
    const opened = openTestPostgres(withPort(url, pooler.port), undefined, undefined, 500);
    expect(await rejectionOf(opened)).toBeInstanceOf(NotificationsLostError);
  }
  await using pooler = await startPgBouncer(url, 'session');
  const store = await openTestPostgres(withPort(url, pooler.port));
  await store.close();
});

function withPort(url: string, port: number): string {
  return Object.assign(new URL(url), { port: String(port) }).href;
}

/** Starts a proxy to PostgreSQL that forwards everything except notifications. */
async function startDroppingPooler(targetPort: number) {
  let dropped = 0;
  const listener = createServer({ noDelay: true }, (client) => {
    const target = connect({ host: '127.0.0.1', port: targetPort, noDelay: true });
    let received = Buffer.alloc(0);
    target.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      // Each message is its type, and a length that includes itself.
      while (received.length >= 5 && received.length > received.readInt32BE(1)) {
        const message = received.subarray(0, received.readInt32BE(1) + 1);
        received = received.subarray(message.length);
        if (message.toString('latin1', 0, 1) === NOTIFICATION_RESPONSE) dropped += 1;
        else client.write(message);
      }
    });
    client.pipe(target);
    for (const socket of [client, target]) socket.on('error', () => {});
    client.on('close', () => target.destroy());
    target.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    dropped: () => dropped,
    async [Symbol.asyncDispose]() {
      listener.close();
    },
  };
}

async function startPgBouncer(url: string, mode: 'session' | 'transaction') {
  const { port: serverPort, username, password, pathname } = new URL(url);
  const folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  const port = await freePort();
  const configuration = folder.file('pgbouncer.ini');
  writeFileSync(
    configuration,
    `[databases]
${pathname.slice(1)} = host=127.0.0.1 port=${serverPort} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout
`,
  );
  const uid = process.getuid?.() === 0 ? NOBODY : undefined;
  const program = startProgram({ file: PGBOUNCER, args: [configuration], uid });
  await program.findOutput(/process up/, 30_000);
  return {
    port,
    async [Symbol.asyncDispose]() {
      await program.end('SIGTERM');
      folder[Symbol.dispose]();
    },
  };
}
