import { clientCredentials, createGuildSettingsClient, TokenError } from '@guild-settings/client';
import { serveHttp, unreachableUrl } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';
import { explain } from './explain-failure.ts';

function failureAt(url: string, token: string): Promise<unknown> {
  const client = createGuildSettingsClient({ url, token, retries: 0 });
  return client.users.me.query().catch((error: unknown) => error);
}

describe('a failed call is explained with what to check:', () => {
  test('a service that cannot be reached', async () => {
    expect(explain(await failureAt(await unreachableUrl(), 'a-token'))).toBe(
      'No connection could be made: ECONNREFUSED. Check API_URL, and whether the service runs.',
    );
  });

  test('a Discord that cannot be reached for a token', async () => {
    const token = clientCredentials({ discordApiUrl: await unreachableUrl(), applicationId: '1', clientSecret: 's' });
    expect(explain(await token.get().catch((error: unknown) => error))).toBe(
      'The request for a token did not reach Discord: ECONNREFUSED. Check DISCORD_API_URL, and whether Discord runs there.',
    );
  });

  test('an address that redirects', async () => {
    await using proxy = await serveHttp(({ url }, response) =>
      response.writeHead(301, { location: `https://api.example${url}` }).end(),
    );
    expect(explain(await failureAt(proxy.url, 'a-token'))).toBe(
      `Expected the settings service at ${proxy.url}, received a redirect to https://api.example, which is not followed. Set API_URL to https://api.example.`,
    );
  });

  test('credentials that Discord refuses', () => {
    const error = new TokenError('refused', 'Discord issued no token to application 1: invalid_client');
    expect(explain(error)).toBe(`${error.message}. Check DISCORD_APPLICATION_ID and DISCORD_CLIENT_SECRET.`);
  });
});
