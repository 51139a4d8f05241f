import { nameOf } from '../../framework/command-texts.ts';
import type { Invocation } from '../../framework/invocation.ts';
import type { ServiceFailure } from '../../settings/call-service.ts';

/**
 * Returns the text for a failed call of the service.
 * @param check the subcommand of `settings` that shows whether a change was made
 */
export function failureText(failure: ServiceFailure, invocation: Invocation, check: 'show' | 'history'): string {
  const { t } = invocation.translator;
  switch (failure.kind) {
    case 'unreachable':
      return t('errors.unreachable');
    case 'unconfirmed':
      return t('errors.unconfirmed', { command: nameOf(invocation, ['settings', check]) });
    case 'refused':
      return t('errors.refused', { reason: failure.reason });
  }
}
