/**
 * Returns what a promise is rejected with.
 * @throws Error when it is fulfilled
 */
export async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('Expected a rejected promise, received a fulfilled one');
}
