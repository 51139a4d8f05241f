import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface CommandLine {
  readonly help: boolean;
  readonly json: boolean;
  /** Whether a new database of the api may begin beside the traces of a lost one. */
  readonly new: boolean;
}

/** The command line asks for something that there is not. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads the arguments. A leading `--`, which some package managers pass on, is skipped.
 * @throws UsageError
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  try {
    const { values } = parseArgs({
      args: args[0] === '--' ? args.slice(1) : [...args],
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        json: { type: 'boolean', default: false },
        new: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}\n--help lists what there is.`);
  }
}

export const HELP = `Starts the guild-settings service, to try it.

  npx --yes pnpm@12 start [--json] [--new] [--help]

Without an application of your own it starts the api, the bot and a simulated Discord, with guilds, people and tokens that
stay the same over restarts, and prints what to try. With DISCORD_APPLICATION_ID it starts the api against the real
Discord, and with DISCORD_CLIENT_SECRET and DISCORD_BOT_TOKEN the bot, too.

Options
  --json      print one line of JSON instead
  --new       begin a new database of settings where the old one was lost
  -h, --help  print this

Environment
  HOST, PORT              where the api listens: 127.0.0.1, 3000
  SIM_PORT                where the simulated Discord listens: 3001
  HEALTH_HOST, HEALTH_PORT
                          where the bot's health and metrics are: 127.0.0.1, 3002
  DATABASE_URL            where settings are kept: file:./data/guild-settings.db
  BOT_DATABASE_URL        where the bot keeps its copy of them, and reminders: file:./data/bot.db
  LOG_LEVEL               fatal, error, warn, info, debug, trace or silent: warn; logs go to standard error
  DISCORD_APPLICATION_ID  your application's id: use the real Discord
  DISCORD_CLIENT_SECRET, DISCORD_BOT_TOKEN
                          its secret and its bot's token: start the bot, too
  DISCORD_API_URL         where the real Discord is: https://discord.com/api/v10
  CORS_ORIGINS, AUTH_CACHE_TTL, AUTH_STALE_GRACE, RATE_LIMIT_PER_MINUTE, TRUST_PROXY
                          as for the api alone`;
