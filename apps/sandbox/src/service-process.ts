import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '@guild-settings/testing';

const MAINS = {
  api: fileURLToPath(new URL('../../api/dist/main.js', import.meta.url)),
  bot: fileURLToPath(new URL('../../bot/dist/main.js', import.meta.url)),
};

/**
 * Starts the built api or bot as a separate process.
 * @param nodeArguments arguments of Node, such as `--import`
 */
export function startService(
  service: keyof typeof MAINS,
  env: NodeJS.ProcessEnv,
  nodeArguments: readonly string[] = [],
): Program {
  return startProgram({ args: [...nodeArguments, MAINS[service]], env });
}

export async function apiUrlOf(api: Program): Promise<string> {
  return (await api.waitForOutput(/listening at (http:\/\/[^"]+)"/))[1] ?? '';
}

export async function healthUrlOf(bot: Program): Promise<string> {
  return (await bot.waitForOutput(/"health":"(http:\/\/[^"]+)","msg":"the bot is connected as /))[1] ?? '';
}
