import type { ChangedField } from '@guild-settings/contract';

/** The namespace of the shared texts in i18next. */
export const SHARED = 'shared';

/** The fields that a change can be about, with names for readers, in the order of the record. */
export const CHANGED_FIELDS = [
  'prefix',
  'announcement_channel',
  'beta',
  'language',
  'enabledFeatures',
  'name',
  'icon',
  'presence',
] as const satisfies readonly ChangedField[];
