import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Returns the URL of this server, by the name that the client calls it: the issuer of its authorization responses. */
export function issuerOf({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>): string {
  return `${protocol}://${host}`;
}

/**
 * Registers `GET /.well-known/oauth-authorization-server`: where the endpoints are, and what they support.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8414
 * @see https://discord.com/.well-known/oauth-authorization-server
 */
export function serverMetadata(app: FastifyInstance): void {
  app.get('/.well-known/oauth-authorization-server', async (request) => {
    const issuer = issuerOf(request);
    const clientAuthentication = ['client_secret_basic', 'client_secret_post'];
    return {
      issuer,
      authorization_endpoint: `${issuer}/api/oauth2/authorize`,
      token_endpoint: `${issuer}/api/oauth2/token`,
      revocation_endpoint: `${issuer}/api/oauth2/token/revoke`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
      token_endpoint_auth_methods_supported: clientAuthentication,
      revocation_endpoint_auth_methods_supported: clientAuthentication,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    };
  });
}
