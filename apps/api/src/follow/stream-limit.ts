import { ProblemError } from '@guild-settings/contract';
import { InProgress } from '../auth/limits.ts';

export function createStreamLimit(): InProgress {
  const refusal = () => new ProblemError('too-many-streams', { retryAfter: 60 });
  return new InProgress({ perPerson: 5, ofApplication: 1_000, refusal });
}
