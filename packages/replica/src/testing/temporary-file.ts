import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A place for the bot's file, gone at the end of its scope. */
export async function temporaryFile() {
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-bot-'));
  return {
    path: join(folder, 'bot.db'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
