import { API_VARIABLES } from '@guild-settings/api';
import { BOT_VARIABLES } from '@guild-settings/bot';
import { readEnvironment } from '@guild-settings/runtime/environment';

/** The variables of the programs that are about Discord. */
const VARIABLES = {
  DISCORD_APPLICATION_ID: BOT_VARIABLES.DISCORD_APPLICATION_ID,
  DISCORD_CLIENT_SECRET: BOT_VARIABLES.DISCORD_CLIENT_SECRET,
  DISCORD_BOT_TOKEN: BOT_VARIABLES.DISCORD_BOT_TOKEN,
  PREFIX_COMMANDS: BOT_VARIABLES.PREFIX_COMMANDS,
  DASHBOARD_URL: API_VARIABLES.DASHBOARD_URL,
  DISCORD_API_URL: BOT_VARIABLES.DISCORD_API_URL,
};

export type CheckConfig = ReturnType<typeof readCheckConfig>;

/** @throws EnvironmentError listing every unusable variable, without a secret */
export function readCheckConfig(env: NodeJS.ProcessEnv = process.env) {
  const values = readEnvironment(env, { variables: VARIABLES });
  return Object.freeze({
    apiUrl: values.DISCORD_API_URL,
    applicationId: values.DISCORD_APPLICATION_ID,
    clientSecret: values.DISCORD_CLIENT_SECRET,
    botToken: values.DISCORD_BOT_TOKEN,
    readsMessages: values.PREFIX_COMMANDS === 'on',
    dashboardUrl: values.DASHBOARD_URL,
  });
}
