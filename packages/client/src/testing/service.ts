import type { ServerResponse } from 'node:http';
import {
  DEFAULT_SETTINGS,
  type Guild,
  PROBLEMS,
  ProblemError,
  type ProblemOptions,
  type ProblemSlug,
} from '@guild-settings/contract';
import { type Arrived, sendJson } from './http-server.ts';

export const GUILD: Guild = { id: '197038439483310086', name: 'Discord Testers', icon: null, ...DEFAULT_SETTINGS };

/** Responds to every call of a request with a record, as the service does. */
export function sendGuild(request: Arrived, response: ServerResponse): void {
  respond(request, response, { status: 200, result: { result: { data: GUILD } }, headers: { etag: '"7"' } });
}

/** Responds to every call of a request with a problem, as the service does. */
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
