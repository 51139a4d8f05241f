import { pageHeaders } from './page-headers.ts';
import { ResponseError } from './problem.ts';

export async function fetchJson<T>(path: string, init: RequestInit = {}): Promise<T> {
  const headers = { accept: 'application/json', ...pageHeaders(), ...init.headers };
  const response = await fetch(path, { ...init, headers });
  const text = await response.text();
  const body: unknown = text === '' ? undefined : parsed(text);
  if (!response.ok) throw new ResponseError(response, body);
  return body as T;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
