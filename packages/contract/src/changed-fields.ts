/** The fields that a change can be about, in the order of the record. */
export const CHANGED_FIELDS = [
  'prefix',
  'announcement_channel',
  'beta',
  'language',
  'enabledFeatures',
  'name',
  'icon',
  'presence',
] as const;
