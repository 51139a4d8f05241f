import pg from 'pg';

/** Opens a connection, runs some work on it and closes it, whatever comes of the work. */
export async function withPostgresClient<T>(
  config: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(config);
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Runs one statement on a connection of its own and returns its rows. */
export function queryPostgres<Row extends pg.QueryResultRow>(
  connectionString: string,
  statement: string,
): Promise<Row[]> {
  return withPostgresClient({ connectionString }, async (client) => (await client.query<Row>(statement)).rows);
}
