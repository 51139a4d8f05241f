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

/** Returns why a change was not made. @param slug the problem's */
export function saveFailureOf(kind: FailureKind, slug: string | undefined): SaveFailure {
  if (slug === 'change-log-full') return 'full';
  if (slug === 'body-too-large') return 'tooLarge';
  // A declaration of a moment ago has reserved it: the issue says it at the setting.
  if (slug === 'reserved-setting') return 'invalid';
  switch (kind) {
    case 'invalid':
      return 'invalid';
    case 'offline':
      return 'offline';
    case 'limited':
      return 'limited';
    case 'forbidden':
      return 'forbidden';
    case 'session-over':
      return 'sessionOver';
    case 'unavailable':
      return isUnchanged(slug) ? 'unreachable' : 'unconfirmed';
    case 'conflict':
      return 'busy';
    case 'bot-absent':
    case 'not-found':
    case 'unexpected':
      return 'failed';
  }
}
