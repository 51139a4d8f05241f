import { EXPECTED, issuesOf, ProblemError } from '@guild-settings/contract';
import { GRANT } from './access.ts';
import type { Exchange } from './call.ts';
import { authenticate } from './caller.ts';
import { everyoneIn, withoutUnchanged } from './declared-input.ts';
import type { ServedOperation } from './handler.ts';

/**
 * Runs an operation. Both transports refuse in this order: credentials, rate limit, path, permission, presence of the
 * bot, body; the handler checks the precondition in the transaction that writes.
 * @throws ProblemError for every refusal
 */
export async function run(operation: ServedOperation, call: Exchange): Promise<unknown> {
  const { tag } = call.services.records.settings;
  if (tag !== undefined) call.response.declarationTag = tag;
  if (operation.deprecation) call.response.deprecation = operation.deprecation;
  const granted = await grant(operation, call);
  const input = await readInput(operation, call, granted);
  if (operation.isOfManyRows) await call.room?.reserve();
  const { body, ...facts } = await operation.handle({ input, call, ...granted });
  // The calls of a batch share a response.
  call.response.facts = { ...call.response.facts, ...facts };
  // A handler may wait for seconds, without reserved capacity. The result of a change is always sent, because the
  // change is made. A public operation has no caller yet: other calls of its batch may still check the token.
  const isLate = operation.type === 'query' && !operation.isOfManyRows && operation.access !== 'public';
  if (isLate) await call.room?.reserve();
  return body;
}

/** Authenticates the caller, unless the operation is public, and returns the grant for the handler. */
async function grant({ access, type, isCounted }: ServedOperation, call: Exchange): Promise<object> {
  if (access === 'public') return {};
  return GRANT[access](
    await authenticate(call, { allowStale: type !== 'mutation', isCounted: isCounted ?? true }),
    call,
  );
}

/** Reads the body, if any, and validates it together with the path parameters. */
async function readInput(operation: ServedOperation, call: Exchange, granted: object): Promise<unknown> {
  const { bodyField, rest } = operation;
  const { schemas } = call.services;
  const declared = schemas && operation.declared?.(schemas);
  const { input: schema, body: bodySchema } = declared ?? operation;
  let whole = await call.input();
  if (call.body) {
    const [parameters, body] = [whole as object, await call.body()];
    // A path or query parameter in the body is an unknown field, reported with the body's other issues.
    const names = bodyField === undefined ? [...Object.keys(parameters), ...(rest?.query ?? [])] : [];
    const isRepeated = names.some((name) => Object.hasOwn(body, name));
    if (isRepeated) throw invalid(bodySchema?.safeParse(body, EXPECTED).error?.issues);
    whole = { ...(bodyField === undefined ? body : { [bodyField]: body }), ...parameters };
  }
  const { custom } = declared ?? {};
  const context = { services: call.services, granted };
  const changed = custom && withoutUnchanged(whole, custom, context);
  const toCheck = changed?.input ?? whole;
  const { success, data, error } = schema.safeParse(toCheck, EXPECTED);
  const everyone = custom ? everyoneIn(toCheck, custom, context) : [];
  if (success && everyone.length === 0) return changed === undefined ? data : changed.withAll(data);
  const issues = [...(error?.issues ?? []), ...everyone];
  // The body is this field of the input: in issues, paths start within the body.
  const isInBody = (path: readonly PropertyKey[]) => call.body !== undefined && path[0] === bodyField;
  throw invalid(issues.map((issue) => (isInBody(issue.path) ? { ...issue, path: issue.path.slice(1) } : issue)));
}

/** Maximum issues of a response: a body may have a hundred thousand unknown fields. */
const MAX_ISSUES = 1_000;

function invalid(issues: Parameters<typeof issuesOf>[0]['issues'] = []): ProblemError {
  return new ProblemError('invalid-request', { issues: issuesOf({ issues }).slice(0, MAX_ISSUES) });
}
