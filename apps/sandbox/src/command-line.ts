import { explainFailure, type Failure, flag } from '@guild-settings/runtime/command-line';

export const START = {
  summary: `Starts the guild-settings service, to try it.

Without an application of your own it starts the api with the dashboard, the bot and a simulated Discord, with guilds, people and tokens that
stay the same over restarts, and prints what to try. With DISCORD_APPLICATION_ID it starts the api against the real
Discord, and with DISCORD_CLIENT_SECRET and DISCORD_BOT_TOKEN the bot and the dashboard, too.`,
  usage: ['npx --yes pnpm@12 start [--json] [--new] [--help]'],
  options: {
    json: flag('print one line of JSON instead'),
    new: flag('create a new database of settings where the old one was lost'),
  },
  notes: `Environment
  HOST, PORT              where the api and the dashboard listen: 127.0.0.1, 3000
  DASHBOARD_URL           where browsers open the dashboard: http://127.0.0.1:3000
  SIM_PORT                where the simulated Discord listens: 3001
  SIM_REDIRECT_URIS       further redirect URIs of the simulated Discord's application, for a dashboard of yours,
                          separated by commas: none
  HEALTH_HOST, HEALTH_PORT
                          where the bot's health and metrics are: 127.0.0.1, 3002
  DATABASE_URL            the database of settings and sessions: file:./data/guild-settings.db
  BOT_DATABASE_URL        the file of the bot, with its replica and its reminders: file:./data/bot.db
  SESSION_KEY             the keys of the sessions: fixed with the simulated Discord, else made at each start
  SETTINGS_FILE           the declaration of settings of your own, a .json, .ts or .js file: none
  BOT                     off: no bot is started, because a bot of yours is running with the token: on
  PREFIX_COMMANDS         off: the bot has slash commands only, and needs no Message Content Intent: on
  LOG_LEVEL               fatal, error, warn, info, debug, trace or silent: warn; logs are written to standard error
  DISCORD_APPLICATION_ID  your application's id: use the real Discord
  DISCORD_CLIENT_SECRET, DISCORD_BOT_TOKEN
                          its secret and its bot's token: start the bot and the dashboard, too
  DISCORD_API_URL         the API of the real Discord: https://discord.com/api/v10
  CORS_ORIGINS, AUTH_CACHE_TTL, AUTH_STALE_GRACE, RATE_LIMIT_PER_MINUTE, TRUST_PROXY
                          as for the api alone`,
};

/** Names of errors whose message is complete for the caller. */
const EXPECTED = [
  'ChangedKindError',
  'DamagedFileError',
  'EarlierDatabaseError',
  'EnvironmentError',
  'FileInUseError',
  'LoginRefusedError',
  'NotificationsLostError',
  'PageNotBuiltError',
  'PortTakenError',
  'StoreUnavailableError',
];

export function explainStart(error: unknown): Failure {
  return error instanceof Error && EXPECTED.includes(error.name)
    ? { output: error.message, exitCode: 1 }
    : explainFailure(error);
}
