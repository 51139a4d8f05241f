import { personOf } from '../auth/principal.ts';
import type { LogReader } from '../domain/walk-log.ts';
import type { Caller } from './authorize.ts';
import type { Call } from './call.ts';

/** Returns for whom a call reads the change log: the user whose request it is, or whom the application acts for. */
export function logReaderOf({ request }: Call, { principal }: Caller): LogReader {
  return { userId: personOf(principal), isGone: () => request.isGone() };
}
