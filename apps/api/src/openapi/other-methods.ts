import type { OpenAPIObject } from 'trpc-openapi';
import { headers } from './headers.ts';
import { problemResponses, REQUEST_PROBLEMS, withoutBody } from './problem-responses.ts';

type Paths = NonNullable<OpenAPIObject['paths']>;
type Methods = Readonly<Record<string, NonNullable<Paths[string]['get']>>>;
type Responses = NonNullable<NonNullable<Paths[string]['get']>['responses']>;

/** Adds HEAD to every path with GET, with the same headers and no bodies, and OPTIONS to every path. */
export function withHeadAndOptions(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, { get, ...item }]) => {
      const {
        parameters: all = [],
        operationId: name = path,
        tags = [],
      } = get ?? Object.values(item as Methods)[0] ?? {};
      const parameters = all.filter((one) => 'in' in one && one.in === 'path');
      return [
        path,
        {
          ...(get && {
            get,
            head: { ...get, operationId: `${name}Head`, responses: withoutBodies(get.responses ?? {}) },
          }),
          ...item,
          options: {
            operationId: `${name}Options`,
            summary: 'The methods that this path supports',
            description: 'Without credentials. A CORS preflight receives its headers as well.',
            tags,
            security: [],
            ...(parameters.length > 0 && { parameters }),
            responses: {
              204: { description: 'Listed in `Allow`.', headers: headers('Allow') },
              ...problemResponses([...REQUEST_PROBLEMS, ...(parameters.length > 0 ? (['not-found'] as const) : [])]),
            },
          },
        },
      ];
    }),
  );
}

function withoutBodies(responses: Responses): Responses {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { content: _content, ...response }]) => [
      status,
      '$ref' in response ? withoutBody(response.$ref) : response,
    ]),
  );
}
