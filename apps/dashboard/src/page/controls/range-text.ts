import type { Setting } from '@guild-settings/contract/settings';
import { numberText } from '@guild-settings/i18n';
import type { ValueWords } from '../settings/value-text.ts';

export function rangeText(setting: Setting, { t, language }: ValueWords): string | undefined {
  const { declared } = setting;
  if (declared.kind !== 'integer' && declared.kind !== 'duration') return undefined;
  const [min, max] = [declared.min, declared.max].map((limit) => numberText(setting, limit, language));
  return t('number.range', { min, max });
}
