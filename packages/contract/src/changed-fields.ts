import { SPECIFIED } from './settings/specified.ts';

/** The fields that a change can be about, in the order of the record. */
export const CHANGED_FIELDS = [
  ...(Object.keys(SPECIFIED) as (keyof typeof SPECIFIED)[]),
  'name',
  'icon',
  'presence',
  'access',
] as const;
