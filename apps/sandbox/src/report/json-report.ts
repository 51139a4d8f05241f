import type { Sandbox } from '../start-sandbox.ts';
import { APPLICATION, GUILDS, TOKENS } from '../world.ts';
import { examples } from './examples.ts';

/** What is running, as one line of JSON for scripts. */
export function jsonReport({ apiUrl, discord, simulator, databasePath }: Sandbox): string {
  const addresses = { api: apiUrl, docs: `${apiUrl}/docs`, openapi: `${apiUrl}/openapi.json` };
  if (!simulator) return JSON.stringify({ mode: 'real', ...addresses, discord, database: databasePath });
  return JSON.stringify({
    mode: 'simulated',
    ...addresses,
    discord: { ...discord, clientSecret: APPLICATION.clientSecret },
    database: databasePath,
    guilds: GUILDS.map(({ id, name }) => ({ id, name })),
    tokens: Object.fromEntries(TOKENS.map(({ role, token }) => [role, token])),
    examples: examples(apiUrl).map(({ command }) => command),
  });
}
