import type { IncomingMessage } from 'node:http';

const GATEWAY_PATH = '/gateway';

/** Discord's gateway is at the root of its host, and libraries append a slash to whatever URL they are given. */
const PATHS: ReadonlySet<string> = new Set([GATEWAY_PATH, `${GATEWAY_PATH}/`, '/']);

/** Returns the URL of the gateway for the client of a request, by the name that the client uses for this host. */
export function gatewayUrl({ headers: { host = '' }, socket: { localPort } }: IncomingMessage): string {
  const hasPort = /:\d+$/.test(host);
  return `ws://${host}${hasPort ? '' : `:${localPort}`}${GATEWAY_PATH}`;
}

export function isGatewayUrl(url: string): boolean {
  return PATHS.has(pathAndQuery(url).path);
}

export function queryOf(url: string): Readonly<Record<string, string>> {
  return Object.fromEntries(new URLSearchParams(pathAndQuery(url).query));
}

function pathAndQuery(url: string): { readonly path: string; readonly query: string } {
  const [path = '', query = ''] = url.split('?', 2);
  return { path, query };
}
