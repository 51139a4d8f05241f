/** A command cannot do what it was asked. The message says why, in the guild's language, for whoever asked. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
