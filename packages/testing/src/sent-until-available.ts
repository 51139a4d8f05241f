import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from './wait-until.ts';

/**
 * Sends a request again for as long as the response is a 503, after its `Retry-After`, as clients do: on a busy machine Discord or
 * the database may respond too late.
 * @returns the first other response
 */
export async function sentUntilAvailable(send: () => Promise<Response>): Promise<Response> {
  let response = await send();
  await waitUntil(
    async () => {
      if (response.status !== 503) return true;
      await response.body?.cancel();
      await delay(Number(response.headers.get('retry-after') ?? 1) * 1_000);
      response = await send();
      return false;
    },
    { message: 'a response that is no 503' },
  );
  return response;
}
