/** The guild is not as it was when the command was computed. */
export class GuildChangedError extends Error {
  override readonly name = 'GuildChangedError';
}
