import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clientCredentials } from '@guild-settings/client';
import { Snowflake } from '@guild-settings/contract';
import { environmentSecrets, HttpUrl, readEnvironment, Secret } from '@guild-settings/runtime/environment';

/** The variables of the bot that a transfer also needs. */
const VARIABLES = {
  API_URL: HttpUrl.prefault('http://127.0.0.1:3000'),
  DISCORD_API_URL: HttpUrl.prefault('https://discord.com/api/v10'),
  DISCORD_APPLICATION_ID: Snowflake,
  DISCORD_CLIENT_SECRET: Secret,
};

export type TransferConfig = ReturnType<typeof readTransferConfig>;

export function readTransferConfig(env: NodeJS.ProcessEnv = process.env) {
  const values = readEnvironment(env, { variables: VARIABLES });
  return Object.freeze({
    apiUrl: values.API_URL,
    token: clientCredentials({
      discordApiUrl: values.DISCORD_API_URL,
      applicationId: values.DISCORD_APPLICATION_ID,
      clientSecret: values.DISCORD_CLIENT_SECRET,
    }),
  });
}

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * Returns the absolute path of a file given by the caller. A package manager runs scripts in the folder of the
 * repository, and passes on the caller's working directory.
 */
export function callerPath(path: string, env: NodeJS.ProcessEnv = process.env, workingFolder = process.cwd()): string {
  const isRepository = resolve(workingFolder) === resolve(REPOSITORY);
  return resolve(isRepository && env.INIT_CWD ? env.INIT_CWD : workingFolder, path);
}

export function secretsOf(env: NodeJS.ProcessEnv = process.env): string[] {
  return environmentSecrets(VARIABLES, env);
}

export const ENVIRONMENT_NOTES = `Environment, as for the bot
  API_URL                 the service: http://127.0.0.1:3000
  DISCORD_API_URL         Discord's API, for the token of the application: https://discord.com/api/v10
  DISCORD_APPLICATION_ID  the application's id
  DISCORD_CLIENT_SECRET   its secret, or the path of its file as DISCORD_CLIENT_SECRET_FILE`;
