import type { TokenSource } from '@guild-settings/client';
import { createRedactor, type Redactor } from '@guild-settings/runtime/log';
import { type Client, Events } from 'discord.js';
import type { BotConfig } from '../config.ts';

export function botRedactor({ discord }: BotConfig): Redactor {
  const { applicationId, clientSecret, botToken } = discord;
  const basic = Buffer.from(`${applicationId}:${clientSecret}`).toString('base64');
  return createRedactor({ secrets: [clientSecret, botToken, basic] });
}

/** Adds the token of each interaction: it allows to reply as the bot for 15 minutes. */
export function redactInteractionTokens(client: Client, redactor: Redactor): void {
  client.on(Events.InteractionCreate, ({ token }) => redactor.add(token));
}

export function redactTokens(tokens: TokenSource, redactor: Redactor): TokenSource {
  return {
    invalidate: (token) => tokens.invalidate(token),
    async get(signal) {
      const token = await tokens.get(signal);
      redactor.add(token);
      return token;
    },
  };
}
