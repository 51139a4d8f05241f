import { APPLICATION, GUILDS, TOKENS } from '@guild-settings/discord-sim/testing/world';
import type { Sandbox } from '../start-sandbox.ts';
import { examples } from './examples.ts';

export function jsonReport({ apiUrl, dashboardUrl, docsUrl, discord, chatUrl, bot, ...files }: Sandbox): string {
  const urls = {
    dashboard: dashboardUrl,
    api: apiUrl,
    docs: docsUrl,
    openapi: `${apiUrl}/openapi.json`,
    health: bot?.healthUrl ?? null,
  };
  const databases = { database: files.database, botDatabase: files.botDatabasePath };
  if (chatUrl === null) {
    const { botToken: _secret, ...application } = discord;
    return JSON.stringify({ mode: 'real', ...urls, discord: application, ...databases });
  }
  return JSON.stringify({
    mode: 'simulated',
    ...urls,
    chat: chatUrl,
    discord: { ...discord, clientSecret: APPLICATION.clientSecret },
    ...databases,
    guilds: GUILDS.map(({ id, name }) => ({ id, name })),
    tokens: Object.fromEntries(TOKENS.map(({ role, token }) => [role, token])),
    examples: examples(apiUrl).map(({ command }) => command),
  });
}
