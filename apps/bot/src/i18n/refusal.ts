/** Rejects a command. The message is the reply to the user, in the guild's language. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
