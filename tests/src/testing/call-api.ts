import { type Role, tokenOf } from '@guild-settings/discord-sim/testing/world';
import { expect } from 'vitest';

export interface ProgramRequest {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls the service as another program of a person. Expects success. */
export async function callApi(
  apiUrl: string,
  by: Role | { readonly token: string },
  { method = 'GET', path, body, headers }: ProgramRequest,
): Promise<Response> {
  const token = typeof by === 'string' ? tokenOf(by) : by.token;
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  expect(response.status, await response.clone().text()).toBeLessThan(300);
  return response;
}
