import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
}

/** A described response. */
export interface ResponseDescription {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

/** The description of a method of a path. */
export interface OperationDescription {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>>; readonly required?: boolean };
  /** By status, such as `200`, `4XX`. */
  readonly responses: Readonly<Record<string, ResponseDescription>>;
  /** Alternatives; an empty one allows calls without credentials. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

/** The methods of a path in lower case, and the parameters that they share. */
export type PathDescription = Readonly<Record<string, OperationDescription | undefined>> & {
  readonly parameters?: readonly Parameter[];
};

/** The parts of an OpenAPI 3.1 document that the check reads. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, PathDescription>>;
}

/**
 * Reads Discord's OpenAPI document from a file, without its known errors.
 *
 * @throws {Error} when the document no longer has a known error
 * @see https://github.com/discord/discord-api-spec
 */
export function readDiscordDocument(file: string): OpenApiDocument {
  const document: unknown = JSON.parse(readFileSync(file, 'utf8'));
  for (const { pointer, published, corrected } of ERRATA) {
    const path = pointer.slice(1).split('/');
    const key = path.pop() ?? '';
    const parent = path.reduce<unknown>((value, part) => (value as Record<string, unknown>)[part], document);
    const holder = parent as Record<string, unknown>;
    if (!isDeepStrictEqual(holder[key], published)) throw new Error(`The erratum at ${pointer} no longer applies`);
    holder[key] = corrected;
  }
  return document as OpenApiDocument;
}

/** A place where Discord's published document contradicts Discord's documentation. */
export interface Erratum {
  /** JSON pointer into the document. */
  readonly pointer: string;
  /** The text to be replaced. A document with another text no longer needs the erratum. */
  readonly published: unknown;
  readonly corrected: unknown;
  readonly reason: string;
}

const PERMISSIONS = {
  published: { type: ['integer', 'null'], minimum: 0, maximum: 2 ** 54 },
  corrected: { type: ['string', 'integer', 'null'] },
  reason:
    'Permissions are bit sets beyond 2^53, sent as strings: https://discord.com/developers/docs/topics/permissions',
};

/** The known errors of the document. */
const ERRATA: readonly Erratum[] = [
  {
    pointer: '/components/schemas/InnerErrors/properties/_errors/items',
    published: { $ref: '#/components/schemas/Error' },
    corrected: {
      type: 'object',
      properties: { code: { type: 'string' }, message: { type: 'string' } },
      required: ['code', 'message'],
    },
    reason:
      'The codes of single fields are names such as BASE_TYPE_REQUIRED: https://discord.com/developers/docs/reference#error-messages',
  },
  {
    pointer: '/components/schemas/ApplicationCommandUpdateRequest/properties/default_member_permissions',
    ...PERMISSIONS,
  },
  {
    pointer: '/components/schemas/ApplicationCommandCreateRequest/properties/default_member_permissions',
    ...PERMISSIONS,
  },
  {
    pointer: '/components/schemas/ApplicationCommandPatchRequestPartial/properties/default_member_permissions',
    ...PERMISSIONS,
  },
];
