/** A value in a JSON document, and the JSON Pointer (RFC 6901) of its place. */
export interface Place {
  readonly pointer: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Keys of the OpenAPI document whose values are data and not a part of the description. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'value']);

/** Returns every object of an OpenAPI document, without those inside of examples. */
export function placesOf(document: object, pointer = ''): Place[] {
  const children = Object.entries(document).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value !== 'object' || value === null || isData(key, value)) return [];
    return placesOf(value, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  });
  return Array.isArray(document) ? children : [{ pointer, value: { ...document } }, ...children];
}

/** The `examples` of a schema are a list of values. Those of a parameter or a media type are described. */
function isData(key: string, value: object): boolean {
  return DATA.has(key) || (key === 'examples' && Array.isArray(value));
}
