/** How long the buttons of a reply can be used, in milliseconds. */
export const BUTTON_LIFETIME_MS = 10 * 60_000;

/** A button under a reply. Only the user of the command can use it. */
export interface Button {
  /** The name of what it does, among the `buttons` of the action that replies. */
  readonly name: string;
  readonly label: string;
  readonly style: 'primary' | 'secondary' | 'danger';
  /** Passed to the action. Without `|`; the names and all values together have at most 60 characters. */
  readonly values: readonly string[];
}

/** What the bot replies to a command. */
export interface Reply {
  readonly content: string;
  /** At most five. */
  readonly buttons?: readonly Button[];
}
