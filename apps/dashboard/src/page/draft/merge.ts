import type { RecordSettings } from '@guild-settings/contract';
import { SCALAR_FIELDS, type ScalarField, switchedFeatures, withFeatures } from './fields.ts';

/** The settings that two people made of the same ones. */
export interface Merged {
  readonly settings: RecordSettings;
  /** The settings that both have set to different values. `settings` has mine. */
  readonly conflicts: readonly ScalarField[];
}

/**
 * Merges two versions of settings, field by field: a field that one of them left as it was has the value of the other.
 * Features are merged one by one: each is on or off, so two people who have both switched one agree.
 * @param base the version that both began with. A field that is missing has no known value: unequal values are a conflict.
 */
export function merge(
  base: Omit<Partial<RecordSettings>, 'enabledFeatures'> & Pick<RecordSettings, 'enabledFeatures'>,
  theirs: RecordSettings,
  mine: RecordSettings,
): Merged {
  const isMine = (field: ScalarField) => mine[field] !== base[field];
  const conflicts = SCALAR_FIELDS.filter(
    (field) => isMine(field) && theirs[field] !== base[field] && mine[field] !== theirs[field],
  );
  return {
    conflicts,
    settings: {
      prefix: isMine('prefix') ? mine.prefix : theirs.prefix,
      language: isMine('language') ? mine.language : theirs.language,
      announcement_channel: isMine('announcement_channel') ? mine.announcement_channel : theirs.announcement_channel,
      beta: isMine('beta') ? mine.beta : theirs.beta,
      enabledFeatures: withFeatures(
        theirs.enabledFeatures,
        switchedFeatures(base.enabledFeatures, mine.enabledFeatures),
      ),
    },
  };
}
