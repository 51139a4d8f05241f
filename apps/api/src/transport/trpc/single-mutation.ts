import { PROBLEMS, ProblemError } from '@guild-settings/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ResponseMeta, Services, TokenCheckSlot } from '../../operations/call.ts';
import type { AnyOperation } from '../../operations/operation.ts';
import { OPERATIONS_BY_PATH } from '../../operations/operations.ts';
import { run } from '../../operations/run.ts';
import { HttpRequestInfo } from '../headers/request-info.ts';
import { responseHeaders } from '../headers/response-headers.ts';
import { problemFrom } from '../problems/problem-from.ts';
import { problemHeaders, recordProblem } from '../problems/send-problem.ts';
import { trpcErrorOf } from './error-shape.ts';
import { maxInputBytes } from './input-limit.ts';
import { inputReader } from './trpc-request.ts';

/** Returns the mutation that a request calls alone; undefined: it is another call, or may be a batch. */
export function singleMutation({ method, url }: FastifyRequest, path: string): AnyOperation | undefined {
  const operation = OPERATIONS_BY_PATH.get(path);
  return operation?.type === 'mutation' && method === 'POST' && !url.includes('?') ? operation : undefined;
}

/**
 * Serves one mutation with the same response as tRPC's, without its conversions of the request and the response to those of the
 * web: they take twice as long as the rest of an acknowledgement. docs/decisions/0042-short-way-of-acknowledgements.md
 */
export async function respondToMutation(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    operation,
    path,
    services,
  }: { readonly operation: AnyOperation; readonly path: string; readonly services: Services },
): Promise<FastifyReply> {
  const response: ResponseMeta = {};
  const token: TokenCheckSlot = {};
  const read = inputReader(request.raw, async () => maxInputBytes(path, (await token.checked)?.principal));
  // The access may need the input before the operation does. The body can be read once.
  let text: Promise<string> | undefined;
  const input = async () => {
    text ??= read();
    return parsed(await text);
  };
  reply.headers({ vary: `${reply.getHeader('vary')}, accept`, 'content-type': 'application/json' });
  try {
    const info = new HttpRequestInfo(request, 'trpc');
    const data = await run(operation, { services, request: info, response, token, input });
    return reply.headers(responseHeaders(response)).send(Buffer.from(JSON.stringify({ result: { data } })));
  } catch (error) {
    const problem = problemFrom(error);
    recordProblem(request, problem, token.principal);
    return reply
      .code(PROBLEMS[problem.slug].status)
      .headers({ ...responseHeaders(response), ...problemHeaders(problem) })
      .send(Buffer.from(JSON.stringify({ error: trpcErrorOf(error, path, request.url) })));
  }
}

/** Returns the input of a text; undefined for none. */
function parsed(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    throw new ProblemError('invalid-request', { detail: (error as SyntaxError).message, cause: error });
  }
}
