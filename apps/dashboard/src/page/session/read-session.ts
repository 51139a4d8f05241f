import { statusOf } from '../service/failure.ts';
import { fetchJson } from '../service/requests.ts';

export interface Session {
  readonly user: { readonly id: string; readonly name: string; readonly avatar: string | null };
  /** The language that the person has chosen at Discord. */
  readonly locale: string | null;
  readonly startedAt: string;
  readonly idleUntil: string;
  readonly until: string;
}

export async function readSession(signal?: AbortSignal): Promise<Session | null> {
  try {
    // A browser without a session receives no body.
    return (await fetchJson<Session | undefined>('/session', signal && { signal })) ?? null;
  } catch (error) {
    if (statusOf(error) === 401) return null;
    throw error;
  }
}

/** Returns the URL that begins a login, which redirects back to a path of this page. */
export function loginUrl(to: string): string {
  return to === '/' ? '/login' : `/login?to=${encodeURIComponent(to)}`;
}

/** Returns why the service refused the login at the URL of this document; null for every other document. */
export function refusedLogin(): string | null {
  return document.querySelector('meta[name="login"]')?.getAttribute('content') ?? null;
}
