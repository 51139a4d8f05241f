import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '@guild-settings/testing';
import Database from 'better-sqlite3';
import type { Seen } from '../history.ts';

const MAIN = fileURLToPath(new URL('../../../bot/dist/main.js', import.meta.url));

export interface BotNode extends AsyncDisposable {
  readonly name: string;
  ensureUp(): void;
  /** Resolves when the running process is connected to Discord. Its file has its tables then. */
  waitUntilConnected(): Promise<void>;
  end(signal: NodeJS.Signals): Promise<void>;
  records(): ReadonlyMap<string, Seen>;
  /** Reads the revision of one record in its replica's file; undefined: there is none. */
  revisionOf(guild: string): number | undefined;
  readonly crashes: readonly string[];
  /** The last output of each process that exited before it was connected. */
  readonly failedStarts: readonly string[];
}

const CONNECTED = /the bot is connected/;

const NO_TIMEOUT_MS = 2 ** 31 - 1;

export function createBotNode(index: number, folder: string, env: NodeJS.ProcessEnv): BotNode {
  const name = `bot ${index}`;
  const path = join(folder, `bot-${index}.db`);
  const crashes: string[] = [];
  const failedStarts: string[] = [];
  let program: Program | undefined;
  /** Reads its replica's file. The bot creates it when it starts, which a fault may have delayed: undefined. */
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
    failedStarts,
    ensureUp() {
      if (program?.isRunning()) return;
      const started = startProgram({
        args: [MAIN],
        env: { ...env, DATABASE_URL: `file:${path}`, HEALTH_PORT: '0', LOG_LEVEL: 'info' },
      });
      program = started;
      let wasConnected = false;
      void started.findOutput(CONNECTED, NO_TIMEOUT_MS).then((found) => {
        wasConnected = found !== null;
      });
      void started.exited.then(() => {
        if (started.wasEnded()) return;
        // Before it is connected, the bot exits when Discord's responses are invalid. That is no crash.
        (wasConnected ? crashes : failedStarts).push(`${name}: ${started.output().slice(-1_000)}`);
      });
    },
    waitUntilConnected: async () => void (await program?.waitForOutput(CONNECTED)),
    end: async (signal) => void (await program?.end(signal)),
    records() {
      const statement = `SELECT guild_id AS guild, revision, record ->> 'prefix' AS prefix,
        record ->> 'announcement_channel' AS channel FROM records`;
      const rows = read((file) => file.prepare<[], Seen & { readonly guild: string }>(statement).all()) ?? [];
      return new Map(rows.map(({ guild, ...seen }) => [guild, seen]));
    },
    revisionOf: (guild) =>
      read((file) =>
        file.prepare<[string], number>('SELECT revision FROM records WHERE guild_id = ?').pluck().get(guild),
      ),
    async [Symbol.asyncDispose]() {
      await program?.end('SIGKILL');
    },
  };
}
