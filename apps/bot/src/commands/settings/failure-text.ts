import { shorten } from '@guild-settings/i18n';
import { nameOf } from '../../framework/command-texts.ts';
import type { Invocation } from '../../framework/invocation.ts';
import { code } from '../../i18n/text.ts';
import type { Translator } from '../../i18n/translator.ts';
import type { ServiceFailure, ServiceRefusal } from '../../settings/call-service.ts';
import { settingName } from '../../settings/setting-texts.ts';

/**
 * Returns the text for a failed call of the service.
 * @param check the subcommand of `settings` that shows whether a change was made
 * @throws the error of the service where only the team of the bot can do something about it: it is logged
 */
export function failureText(failure: ServiceFailure, invocation: Invocation, check: 'show' | 'history'): string {
  const { translator } = invocation;
  const { t } = translator;
  switch (failure.kind) {
    case 'unreachable':
      return t('errors.unreachable');
    case 'unconfirmed':
      return t('errors.unconfirmed', { command: nameOf(invocation, ['settings', check]) });
    case 'refused':
      return t('errors.refused', { reason: reasonOf(failure, translator) });
  }
}

function reasonOf({ slug, fields, error }: ServiceRefusal, translator: Translator): string {
  const { t, settings } = translator;
  const [field = ''] = fields;
  const known = settings.byField.get(field);
  // The bot may learn of a new setting later than the service.
  const setting = known === undefined ? code(shorten(field)) : settingName(known, translator);
  switch (slug) {
    case 'reserved-setting':
      return t('settings.reserved', { setting });
    case 'invalid-request':
      // Another part of the request is not what a person entered.
      if (known === undefined) throw error;
      return t('problem.value', { setting });
    case 'bot-absent':
      return t('problem.botAbsent');
    case 'not-guild-manager':
    case 'not-guild-owner':
    case 'insufficient-access':
      return t('problem.noAccess');
    case 'body-too-large':
    case 'too-many-features':
      return t('problem.tooLarge');
    case 'revision-mismatch':
      return t('problem.busy');
    case 'change-log-full':
      return t('problem.full');
    default:
      throw error;
  }
}
