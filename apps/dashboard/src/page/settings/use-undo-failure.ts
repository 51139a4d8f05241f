import { useTranslation } from 'react-i18next';
import type { Outcome, SaveFailure } from './outcome.ts';
import { useWait } from './use-wait.ts';

export interface UndoFailure {
  /** undefined: it has not failed, or the wait after a refusal is over. */
  readonly text: string | undefined;
  readonly seconds: number;
}

const UNEXPECTED = 'failure.unexpected.heading';

/** The texts of what has failed, in the namespace `common`. */
const REASONS = {
  unreachable: 'failure.unavailable.heading',
  offline: 'failure.offline.heading',
  limited: 'failure.limited.heading',
  forbidden: 'failure.forbidden.heading',
  sessionOver: 'session.over',
  // An undo sends no settings.
  conflicts: UNEXPECTED,
  invalid: UNEXPECTED,
  tooLarge: UNEXPECTED,
  busy: UNEXPECTED,
  failed: UNEXPECTED,
} as const satisfies Readonly<Record<Exclude<SaveFailure, 'unconfirmed' | 'full'>, string>>;

export function useUndoFailure(outcome: Outcome): UndoFailure {
  const { t } = useTranslation(['settings', 'common']);
  const { undo, undoRefusal } = outcome.kind === 'saved' ? outcome : {};
  const seconds = useWait(undoRefusal);
  const failure = undoRefusal?.failure;
  if (undo === 'later') return { text: t('bar.undoLater'), seconds };
  if (failure === undefined || (failure === 'limited' && seconds === 0)) return { text: undefined, seconds };
  if (failure === 'unconfirmed') return { text: t('bar.unconfirmed'), seconds };
  if (failure === 'full') return { text: t('bar.undoFull'), seconds };
  return { text: t('bar.notUndone', { why: t(REASONS[failure], { ns: 'common' }) }), seconds };
}
