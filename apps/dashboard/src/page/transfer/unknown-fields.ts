import { LIMITS } from '@guild-settings/contract/constants';
import { isLong, jsonBytes } from './field-size.ts';

/** Bytes of JSON for the values of all fields that this version does not know. */
const MAX_UNKNOWN_BYTES = 4_096;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the fields of a document that this version does not know, in as many bytes as a request has room for. A later service may
 * import them. A value without room is null, and a long name is cut off as the service does: it names the field among what it leaves
 * alone. Of more fields than the service takes, there is one too many: it refuses them all.
 */
export function sendableFields(parts: readonly Fields[]): Fields[] {
  let [fieldsLeft, bytesLeft] = [LIMITS.unknownFields + 1, MAX_UNKNOWN_BYTES];
  return parts.map((part) => {
    const entries = Object.entries(part).slice(0, fieldsLeft);
    fieldsLeft -= entries.length;
    return Object.fromEntries(
      entries.map(([name, value]) => {
        const bytes = jsonBytes(value);
        const isSent = !isLong(value) && bytes <= bytesLeft;
        if (isSent) bytesLeft -= bytes;
        return [shortName(name), isSent ? value : null];
      }),
    );
  });
}

function shortName(name: string): string {
  return name.length > LIMITS.featureName ? `${name.slice(0, LIMITS.featureName)}...` : name;
}
