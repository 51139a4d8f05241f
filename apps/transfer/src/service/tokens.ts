import { clientCredentials, type TokenSource } from '@guild-settings/client';
import type { TransferConfig } from '../config.ts';

/** Returns the tokens of the application. */
export function tokensOf({ discord }: TransferConfig): TokenSource {
  const { apiUrl: discordApiUrl, applicationId, clientSecret } = discord;
  return clientCredentials({ discordApiUrl, applicationId, clientSecret });
}
