import type { CheckConfig } from './config.ts';
import { requestDiscord } from './discord-request.ts';
import { type Finding, notChecked, ok, wrong } from './finding.ts';

/** The scope by which the api accepts a token as that of the application. */
const SCOPE = 'applications.commands.update';

interface Authorization {
  readonly application: { readonly id: string };
  readonly scopes: readonly string[];
}

/**
 * Checks the client secret, and the token with which bot and jobs call the api, as the api checks it.
 * @see https://discord.com/developers/docs/topics/oauth2#client-credentials-grant
 */
export async function checkOwnToken(config: CheckConfig): Promise<Finding[]> {
  const { apiUrl, applicationId, clientSecret } = config;
  const credentials = Buffer.from(`${applicationId}:${clientSecret}`).toString('base64');
  const token = await requestDiscord<{ readonly access_token: string }>(`${apiUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPE }),
  });
  if (token === undefined) {
    return [
      wrong(
        'The client secret is not accepted. OAuth2 > Client Secret > Reset Secret: set DISCORD_CLIENT_SECRET to the new one. General Information > Application ID has the value of DISCORD_APPLICATION_ID.',
      ),
      notChecked("Without the client secret: the application's own token."),
    ];
  }
  const secret = ok('The client secret is accepted');
  const authorization = await requestDiscord<Authorization>(`${apiUrl}/oauth2/@me`, {
    headers: { authorization: `Bearer ${token.access_token}` },
  });
  const { application, scopes = [] } = authorization ?? {};
  if (application?.id === applicationId && scopes.includes(SCOPE)) {
    return [secret, ok(`The application's own token has the scope ${SCOPE}, which the api needs`)];
  }
  return [
    secret,
    wrong(
      `The application's own token is for ${application?.id ?? 'no application'} with the scopes ${scopes.join(' ') || 'none'}; the api needs ${SCOPE}. Check DISCORD_APPLICATION_ID and DISCORD_API_URL.`,
    ),
  ];
}
