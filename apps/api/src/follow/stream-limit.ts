import { ProblemError } from '@guild-settings/contract';
import { InProgress } from '../auth/in-progress.ts';

/** Creates the limit of open streams. The application has one for each page that it shows. */
export function createStreamLimit(): InProgress {
  const refusal = () => new ProblemError('too-many-streams', { retryAfter: 60 });
  return new InProgress({ perPerson: 5, ofApplication: 1_000, refusal });
}
