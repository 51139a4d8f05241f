import { z } from 'zod';

/** Characters of a value, for the OpenAPI document. Readers do not enforce it. */
const MAX_LENGTH = 64;

/**
 * Makes the schema of a value in responses and events: one of the known values, or one added by a later version. In
 * requests the same values are a closed enum. The document lists them as `x-extensible-enum`, which client generators
 * treat as a string.
 * @see https://opensource.zalando.com/restful-api-guidelines/#112
 */
export function openEnum<const Value extends string>(values: readonly Value[], description: string) {
  const schema = z.string().meta({
    description: `${description} Later versions may add values: treat one that you do not know as unknown, not as an error.`,
    maxLength: MAX_LENGTH,
    'x-extensible-enum': [...values],
    examples: [values[0]],
  });
  // The type accepts every string and lists the known values for readers. It has no name, because the client package
  // inlines it.
  return schema as z.ZodType<Value | (string & {}), Value | (string & {})>;
}
