import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  DEFAULT_SETTINGS,
  type Guild,
  PROBLEMS,
  ProblemError,
  type ProblemOptions,
  type ProblemSlug,
} from '@guild-settings/contract';
import { type HttpServer, serveHttp } from './index.ts';

interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that keeps the received requests. */
export interface TestServer extends HttpServer {
  readonly requests: readonly Arrived[];
}

/** Starts a server that calls `answer` for each request; `nth` counts requests from 0. */
export async function startServer(
  answer: (request: Arrived, response: ServerResponse, nth: number) => void,
  port = 0,
): Promise<TestServer> {
  const requests: Arrived[] = [];
  const server = await serveHttp(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming;
    const request = { method, url, headers, body: await text(incoming) };
    requests.push(request);
    answer(request, response, requests.length - 1);
  }, port);
  return { ...server, requests };
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Serves event streams: the next one of `answers` to each connection. */
export async function serve(...answers: ((response: ServerResponse) => void)[]) {
  const inputs: unknown[] = [];
  const tokens: unknown[] = [];
  const server = await serveHttp(({ url = '', headers }, response) => {
    inputs.push(JSON.parse(new URL(url, 'http://localhost').searchParams.get('input') ?? 'null'));
    tokens.push(headers.authorization);
    const answer = answers.shift() ?? ((last) => last.destroy());
    answer(response);
  });
  return { ...server, inputs, tokens };
}

export function stream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: connected\ndata: {}\n\n');
  return response;
}

export const GUILD: Guild = { id: '197038439483310086', name: 'Discord Testers', icon: null, ...DEFAULT_SETTINGS };

/** Responds to every call of a request with a record, like the service. */
export function sendGuild(request: Arrived, response: ServerResponse): void {
  respond(request, response, { status: 200, result: { result: { data: GUILD } }, headers: { etag: '"7"' } });
}

/** Responds to every call of a request with a problem, like the service. */
export function sendProblem(
  request: Arrived,
  response: ServerResponse,
  slug: ProblemSlug,
  options: ProblemOptions = {},
): void {
  const { status, code } = PROBLEMS[slug];
  const { conflicts, inviteUrl, ...problem } = new ProblemError(slug, options).toProblem('/trpc');
  const data = { code, httpStatus: status, path: '', problem, conflicts, inviteUrl };
  const error = { code: -32000, message: problem.message, data };
  const headers = slug === 'invalid-token' ? { 'www-authenticate': 'Bearer realm="x", error="invalid_token"' } : {};
  respond(request, response, { status, result: { error }, headers });
}

interface CallResponse {
  readonly status: number;
  readonly result: object;
  readonly headers: object;
}

function respond({ url }: Arrived, response: ServerResponse, { status, result, headers }: CallResponse): void {
  sendJson(response, status, isBatch(url) ? callsOf(url).map(() => result) : result, headers);
}

/** Returns the names of the procedures that a request calls. */
export function callsOf(url: string): string[] {
  const path = new URL(url, 'http://localhost').pathname;
  return path.slice('/trpc/'.length).split(',');
}

export function isBatch(url: string): boolean {
  return new URL(url, 'http://localhost').searchParams.has('batch');
}
