/** Bytes of JSON up to which the value of one field is sent: the service takes 16 KiB in all. */
const MAX_FIELD_BYTES = 1_024;

export function jsonBytes(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/**
 * Returns true if a value is larger than any value that a field can have. A list of features is measured feature by
 * feature.
 * @param maxBytes of the field, where a team has declared it
 */
export function isLong(value: unknown, maxBytes = 0): boolean {
  return jsonBytes(value) > Math.max(MAX_FIELD_BYTES, maxBytes);
}
