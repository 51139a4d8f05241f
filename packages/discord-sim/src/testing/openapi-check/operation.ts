import type { OpenApiDocument, OperationDescription, Parameter } from './openapi-document.ts';

/** An operation of the document that a call is for. */
export interface Operation {
  /** Pointer of the operation. */
  readonly pointer: readonly string[];
  readonly description: OperationDescription;
  readonly parameters: readonly LocatedParameter[];
  /** The values of the path's parameters. */
  readonly pathValues: Readonly<Record<string, string>>;
}

/** A parameter with the pointer of its schema. */
export interface LocatedParameter extends Parameter {
  readonly schema: readonly string[];
}

/** Returns the operation of a method and a path, preferring literal segments over parameters; `null` without one. */
export function findOperation(document: OpenApiDocument, method: string, path: string): Operation | null {
  const candidates = Object.keys(document.paths)
    .flatMap((template) => {
      const pathValues = match(template, path);
      return pathValues ? [{ template, pathValues }] : [];
    })
    .sort((a, b) => Object.keys(a.pathValues).length - Object.keys(b.pathValues).length);
  for (const { template, pathValues } of candidates) {
    const shared = document.paths[template]?.parameters ?? [];
    const description = document.paths[template]?.[method.toLowerCase()];
    if (!description) continue;
    const pathPointer = ['paths', template];
    const pointer = [...pathPointer, method.toLowerCase()];
    const parameters = [...located(shared, pathPointer), ...located(description.parameters ?? [], pointer)];
    return { pointer, description, parameters, pathValues };
  }
  return null;
}

function located(parameters: readonly Parameter[], pointer: readonly string[]): LocatedParameter[] {
  return parameters.map((parameter, index) => ({
    ...parameter,
    schema: [...pointer, 'parameters', String(index), 'schema'],
  }));
}

function match(template: string, path: string): Record<string, string> | null {
  const [expected, actual] = [template.split('/'), path.split('/')];
  if (expected.length !== actual.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const value = decodeURIComponent(actual[index] ?? '');
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name !== undefined) values[name] = value;
    else if (part !== value) return null;
  }
  return values;
}
