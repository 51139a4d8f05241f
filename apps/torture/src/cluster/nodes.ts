import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort, type Program, startProgram, startTcpProxy, steppedClock } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import type { Seen } from '../history.ts';

/** An api process. It keeps its port over restarts and is reached through a proxy. */
export type ApiNode = Awaited<ReturnType<typeof createApiNode>>;

export async function createApiNode(index: number, main: string, env: NodeJS.ProcessEnv) {
  const port = await freePort();
  const proxy = await startTcpProxy(port);
  const crashes: string[] = [];
  const clock = steppedClock();
  let program: Program | undefined;
  let listens = false;
  let hasServed = false;

  const startOnce = async (timeoutMs: number, main: string): Promise<boolean> => {
    const started = startProgram({
      // Until it has served: its own erasure ledger is not the first one of the database.
      args: [...clock.nodeArguments, main, ...(hasServed ? [] : ['--new'])],
      env: { ...env, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'info' },
    });
    program = started;
    listens = false;
    listens = (await started.findOutput(LISTENS, timeoutMs)) !== null;
    if (!listens) {
      await started.end('SIGKILL');
      return false;
    }
    hasServed = true;
    void started.exited.then(({ code, signal }) => {
      if (started.wasEnded()) return;
      const end = `ended with code ${code}, signal ${signal}`;
      // An error is written before the last lines of the log, to another stream.
      crashes.push(`api ${index} (${main}, process ${started.pid}) ${end}: ${started.stderr().slice(-4_000)}`);
    });
    return true;
  };
  const node = {
    index,
    url: `http://127.0.0.1:${proxy.port}`,
    proxy,
    /** The main.js of the next start. */
    main,
    /** The exit of each process that crashed after it had started to listen, with its standard error. */
    crashes,
    async ensureUp(timeoutMs: number): Promise<boolean> {
      const deadline = performance.now() + timeoutMs;
      while (!program?.isRunning()) {
        const remainingMs = deadline - performance.now();
        if (remainingMs <= 0) return false;
        // Fails while the database cannot be reached.
        if (await startOnce(remainingMs, node.main)) return true;
        await delay(50);
      }
      return true;
    },
    /** Sets the offset of its wall clock: at once if it listens, and after each start. */
    stepClock: (offsetMs: number): void =>
      clock.step(offsetMs, listens && program?.isRunning() ? program.pid : undefined),
    async end(signal: NodeJS.Signals): Promise<void> {
      listens = false;
      await program?.end(signal);
    },
    signal: (signal: NodeJS.Signals): void => program?.signal(signal),
    output: (): string => program?.output() ?? '',
    async [Symbol.asyncDispose](): Promise<void> {
      await program?.end('SIGKILL');
      await proxy[Symbol.asyncDispose]();
      clock[Symbol.dispose]();
    },
  };
  return node;
}

const LISTENS = /listening at http/;

const MAIN = fileURLToPath(new URL('../../../bot/dist/main.js', import.meta.url));

export type BotNode = ReturnType<typeof createBotNode>;

const CONNECTED = /the bot is connected/;

export function createBotNode(index: number, folder: string, env: NodeJS.ProcessEnv) {
  const name = `bot ${index}`;
  const path = join(folder, `bot-${index}.db`);
  const crashes: string[] = [];
  const failedStarts: string[] = [];
  let program: Program | undefined;
  /** Reads its replica's file, which the bot creates at its start; undefined: a fault may have delayed that. */
  const read = <Result>(query: (file: Database.Database) => Result): Result | undefined => {
    if (!existsSync(path)) return undefined;
    const file = new Database(path, { readonly: true });
    try {
      return query(file);
    } finally {
      file.close();
    }
  };
  return {
    name,
    crashes,
    /** The last output of each process that exited before it was connected. */
    failedStarts,
    ensureUp(): void {
      if (program?.isRunning()) return;
      const started = startProgram({
        args: [MAIN],
        env: { ...env, DATABASE_URL: `file:${path}`, HEALTH_PORT: '0', LOG_LEVEL: 'info' },
      });
      program = started;
      let wasConnected = false;
      void started.findOutput(CONNECTED, 2 ** 31 - 1).then((found) => {
        wasConnected = found !== null;
      });
      void started.exited.then(() => {
        if (started.wasEnded()) return;
        // Before it is connected, the bot exits when Discord's responses are invalid, which is not a crash.
        (wasConnected ? crashes : failedStarts).push(`${name}: ${started.output().slice(-1_000)}`);
      });
    },
    /** Resolves when the running process is connected to Discord. Its file then has its tables. */
    waitUntilConnected: async (): Promise<void> => void (await program?.waitForOutput(CONNECTED)),
    end: async (signal: NodeJS.Signals): Promise<void> => void (await program?.end(signal)),
    records(): ReadonlyMap<string, Seen> {
      const statement = `SELECT guild_id AS guild, revision, record ->> 'prefix' AS prefix,
        record ->> 'announcement_channel' AS channel FROM records`;
      const rows = read((file) => file.prepare<[], Seen & { readonly guild: string }>(statement).all()) ?? [];
      return new Map(rows.map(({ guild, ...seen }) => [guild, seen]));
    },
    /** Reads the revision of one record in its replica's file; undefined: none. */
    revisionOf: (guild: string): number | undefined =>
      read((file) =>
        file.prepare<[string], number>('SELECT revision FROM records WHERE guild_id = ?').pluck().get(guild),
      ),
    async [Symbol.asyncDispose]() {
      await program?.end('SIGKILL');
    },
  };
}
