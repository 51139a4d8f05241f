import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ERRATA } from './errata.ts';

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

/** What the document says about a method of a path. */
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
