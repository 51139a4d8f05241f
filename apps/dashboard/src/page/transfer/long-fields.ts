import { LIMITS } from '@guild-settings/contract/constants';
import { type Flaw, lengthOf } from '@guild-settings/i18n';
import { isLong } from './field-size.ts';

/** A field of a file whose value is too large to be sent to the service, which would refuse the whole file without naming the field. */
export interface LongField {
  /** Its place in the file (RFC 6901). */
  readonly pointer: string;
  readonly flaw: Flaw;
}

/** Characters of the fields of an export, by their places: those of the contract. */
const LONGEST: Readonly<Record<string, number>> = {
  '/$schema': 256,
  '/guild': 19,
  '/name': 256,
  '/revision': 16,
  '/exportedAt': 30,
  '/settings/prefix': LIMITS.prefix,
  '/settings/announcement_channel': LIMITS.announcementChannel,
  '/settings/beta': 5,
  '/settings/language': 5,
};

/** Returns the fields of an export that are too large to be sent. The service names what else is wrong. */
export function longFields(document: { readonly settings: Readonly<Record<string, unknown>> }): LongField[] {
  const { settings } = document;
  const values = [...fieldsOf(document, ''), ...fieldsOf(settings, '/settings')];
  return [
    ...values.flatMap(([pointer, value]) => {
      const count = LONGEST[pointer];
      return count !== undefined && isLong(value) ? [{ pointer, flaw: { key: 'tooLong', count } as const }] : [];
    }),
    ...longFeatures(settings.enabledFeatures),
  ];
}

function fieldsOf(object: object, place: string): (readonly [pointer: string, value: unknown])[] {
  return Object.entries(object).map(([field, value]) => [`${place}/${field}`, value]);
}

function longFeatures(features: unknown): LongField[] {
  const pointer = '/settings/enabledFeatures';
  const { features: max, featureName: length } = LIMITS;
  if (!isLong(features)) return [];
  if (!Array.isArray(features)) return [{ pointer, flaw: { key: 'tooMany', count: max } }];
  const names = features.flatMap((name, index): LongField[] =>
    typeof name !== 'string' || lengthOf(name) > length
      ? [{ pointer: `${pointer}/${index}`, flaw: { key: 'tooLong', count: length } }]
      : [],
  );
  return features.length > max ? [{ pointer, flaw: { key: 'tooMany', count: max } }] : names;
}
