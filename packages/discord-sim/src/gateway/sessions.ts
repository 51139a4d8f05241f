import type { Identity } from './session.ts';
import { Session } from './session.ts';

const KEPT_SESSIONS = 100;

/** The sessions that can be resumed, connected ones among them. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();

  /** Starts a session; beyond 100 the oldest without a client is forgotten. */
  start(identity: Identity): Session {
    const session = new Session(identity);
    this.#sessions.set(session.id, session);
    if (this.#sessions.size > KEPT_SESSIONS) {
      const detached = this.all().find(({ client }) => client === null);
      if (detached) this.end(detached);
    }
    return session;
  }

  /** The session of this id, provided that the token is its bot's. */
  find(id: unknown, token: unknown): Session | null {
    const session = typeof id === 'string' ? this.#sessions.get(id) : undefined;
    return session?.bot.token === token ? (session ?? null) : null;
  }

  /** Oldest first. */
  all(): Session[] {
    return [...this.#sessions.values()];
  }

  end(session: Session): void {
    this.#sessions.delete(session.id);
  }
}
