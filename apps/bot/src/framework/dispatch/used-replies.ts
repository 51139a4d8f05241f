/** Number of replies that are remembered: those of a few minutes, in a bot of thousands of guilds. */
const MAX_REPLIES = 1_000;

/**
 * The replies of which a button was used. One use makes all buttons of a reply ineffective, so that a second click has no
 * effect, and so that "Cancel" is not confirmed while the change is being made.
 */
export class UsedReplies {
  readonly #replies = new Set<string>();

  /** Adds a reply. Returns whether it is new. */
  add(reply: string): boolean {
    if (this.#replies.has(reply)) return false;
    // A Set iterates in order of insertion.
    const [oldest] = this.#replies;
    if (this.#replies.size >= MAX_REPLIES && oldest !== undefined) this.#replies.delete(oldest);
    this.#replies.add(reply);
    return true;
  }

  /** Makes the buttons of a reply effective again. */
  delete(reply: string): void {
    this.#replies.delete(reply);
  }
}
