import type { ReceivedArrival } from '@guild-settings/client/browser';
import { type FailureKind, isUnchanged } from '../service/failure.ts';

export type SaveFailure =
  | 'conflicts'
  | 'invalid'
  | 'tooLarge'
  | 'unreachable'
  | 'unconfirmed'
  | 'offline'
  | 'limited'
  | 'full'
  | 'forbidden'
  | 'sessionOver'
  | 'busy'
  | 'failed';

export interface Refusal {
  readonly failure: SaveFailure;
  readonly retryAfter: number | undefined;
  readonly at: number;
}

export type Outcome =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'saved';
      readonly revision: number;
      readonly arrival: ReceivedArrival | undefined;
      readonly undo: 'none' | 'possible' | 'running' | 'done' | 'later';
      readonly laterChange?: number | undefined;
      readonly undoRefusal?: Refusal | undefined;
    }
  | ({ readonly kind: 'failed' } & Refusal);

/** Returns why a change was not made. @param slug the slug of the problem */
export function saveFailureOf(kind: FailureKind, slug: string | undefined): SaveFailure {
  if (slug === 'change-log-full') return 'full';
  if (slug === 'body-too-large') return 'tooLarge';
  // A recent declaration has reserved it: the issue is shown at the setting.
  if (slug === 'reserved-setting') return 'invalid';
  if (kind === 'unavailable') return isUnchanged(slug) ? 'unreachable' : 'unconfirmed';
  return FAILURES[kind];
}

const FAILURES: Readonly<Record<Exclude<FailureKind, 'unavailable'>, SaveFailure>> = {
  invalid: 'invalid',
  offline: 'offline',
  limited: 'limited',
  forbidden: 'forbidden',
  'session-over': 'sessionOver',
  conflict: 'busy',
  'bot-absent': 'failed',
  'not-found': 'failed',
  unexpected: 'failed',
};
