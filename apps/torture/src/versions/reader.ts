import { createInterface } from 'node:readline';
import { createGuildSettingsClient, problemOf, type WatchedEvent, watch, withRequest } from '@guild-settings/client';
import { openReplica, type Replica } from '@guild-settings/replica';

/**
 * A reader of the service as a program: each line of standard input is a command, each line of standard output its
 * result. Later versions run the commands of earlier ones, so commands may be added but not changed.
 */
interface Command {
  readonly id: number;
  readonly name: string;
  readonly url: string;
  readonly token: string;
  /** Of `call`: the procedure, such as `guilds.get`. */
  readonly procedure: string;
  readonly type: 'query' | 'mutate';
  readonly input: object;
  readonly request: object;
  /** Of `watch`. */
  readonly cursor?: { readonly epoch: string; readonly revision: number };
  /** Of `openReplica`. */
  readonly path: string;
  /** Of `replica`. */
  readonly guilds: readonly string[];
}

/** The client without its types: later versions of the service have other procedures. */
type Procedures = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, Call>>>>>>;
type Call = (input: object, options: object) => Promise<unknown>;

let aborter = new AbortController();
let watched: WatchedEvent[] = [];
let failures: string[] = [];
let replica: Replica | undefined;
let changed: unknown[] = [];
let logged: string[] = [];

const COMMANDS: Readonly<Record<string, (command: Command) => unknown>> = {
  async call({ url, token, procedure, type, input, request }) {
    const [group = '', name = ''] = procedure.split('.');
    const client = createGuildSettingsClient({ url, token }) as object as Procedures;
    let etag: string | undefined;
    const onEtag = (received: string) => {
      etag = received;
    };
    const result = await client[group]?.[name]?.[type]?.(input, withRequest({ ...request, onEtag }));
    return { result, etag };
  },

  watch({ url, token, cursor }) {
    aborter.abort();
    aborter = new AbortController();
    watched = [];
    failures = [];
    void collect({ url, token, cursor, signal: aborter.signal });
  },

  /** Returns the events since `watch`, and the reasons why connections ended. */
  watched: () => ({ events: watched, failures }),

  unwatch: () => aborter.abort(),

  /** Opens the file of a replica and follows the service. */
  async openReplica({ url, token, path }) {
    await replica?.close();
    changed = [];
    logged = [];
    const log = (fields: object, message: string) => logged.push(`${message} ${textOf(fields)}`);
    replica = openReplica({ apiUrl: url, credentials: token, path, log: { warn: log, error: log } });
    replica.on('change', (guild, before, after) => changed.push({ guild, before, after }));
  },

  replica({ guilds }) {
    const settings = Object.fromEntries(guilds.map((guild) => [guild, replica?.get(guild)]));
    return { status: replica?.status, metrics: replica?.metrics, settings, changed, logged };
  },

  async closeReplica() {
    await replica?.close();
    replica = undefined;
  },
};

async function collect(options: Parameters<typeof watch>[0]): Promise<void> {
  const onDisconnect = (error: unknown) => failures.push(textOf({ error }));
  for await (const one of watch({ ...options, onDisconnect })) watched.push(one);
}

/** Returns an error with its causes. */
function textOf(fields: object): string {
  const [error] = Object.values(fields);
  const parts: string[] = [];
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    parts.push(`${cause.name}: ${cause.message}`);
  }
  return parts.length > 0 ? parts.join(' < ') : JSON.stringify(fields);
}

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line) as Command;
  const answer = await run(command);
  process.stdout.write(`${JSON.stringify({ id: command.id, ...answer })}\n`);
}
aborter.abort();
await replica?.close();

async function run(command: Command): Promise<object> {
  try {
    return { result: (await COMMANDS[command.name]?.(command)) ?? null };
  } catch (error) {
    return { error: textOf({ error }), problem: problemOf(error) };
  }
}
