export { type Backoff, backoffMs, jitteredBackoffMs } from './backoff.ts';
