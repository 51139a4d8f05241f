const TIMEOUT_MS = 10_000;

/** Thrown when Discord does not answer a request. The message says what to do. */
export class DiscordUnavailableError extends Error {
  override readonly name = 'DiscordUnavailableError';
}

/** The JSON of a response; undefined: Discord does not accept the credentials. */
export type Answer<Body> = Promise<Partial<Body> | undefined>;

/**
 * Sends a request to Discord.
 * @throws DiscordUnavailableError
 */
export async function requestDiscord<Body>(url: string, init: RequestInit): Answer<Body> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  // A secret must not travel to another address.
  const response = await fetch(url, { ...init, redirect: 'manual', signal }).catch((error: unknown) => {
    throw unavailable(url, reasonOf(error));
  });
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && typeof body === 'object' && body !== null) return body;
  if (response.status === 401) return undefined;
  const location = response.headers.get('location');
  if (location !== null) throw unavailable(url, `a redirect to ${location}, which is not followed`);
  const limit = response.status === 429 ? ' Discord limits requests: wait, then try again.' : '';
  throw unavailable(url, `status ${response.status}${response.ok ? ' without JSON' : ''}.${limit}`);
}

function unavailable(url: string, reason: string): DiscordUnavailableError {
  return new DiscordUnavailableError(
    `${url}: ${reason.replace(/\.$/, '')}. Check DISCORD_API_URL and the network, or try again later.`,
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause = error } = error;
  return cause instanceof Error ? cause.message : String(cause);
}
