import type { Identity } from './session.ts';
import { Session } from './session.ts';

const KEPT_SESSIONS = 100;

/** The sessions that can be resumed, including connected ones. */
export class Sessions {
  readonly #sessions = new Map<string, Session>();

  /** Adds a session; above 100, deletes the oldest one without a client. */
  start(identity: Identity): Session {
    const session = new Session(identity);
    this.#sessions.set(session.id, session);
    if (this.#sessions.size > KEPT_SESSIONS) {
      const detached = this.all().find(({ client }) => client === null);
      if (detached) this.end(detached);
    }
    return session;
  }

  /** Returns the session with this id if the token is its bot's. */
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
