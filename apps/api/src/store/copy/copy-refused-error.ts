/** The copy cannot be made. Existing data was not changed. */
export class CopyRefusedError extends Error {
  override readonly name = 'CopyRefusedError';
}
