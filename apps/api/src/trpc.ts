import { GuildInput, type Problem, ProblemError } from '@guild-settings/contract';
import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import type { Context } from './context.ts';
import { instanceOf } from './http/problem-reply.ts';
import { enter, signIn, wholeInput } from './ladder.ts';
import { problemFrom, trpcErrorFrom } from './problems.ts';

const t = initTRPC
  .context<Context>()
  .meta<OpenApiMeta>()
  .create({
    isDev: false,
    errorFormatter({ shape, error, ctx, path }) {
      const problem: Problem = problemFrom(error).toProblem(instanceOf(ctx?.request.url ?? `/trpc/${path ?? ''}`));
      const data = { code: shape.data.code, httpStatus: shape.data.httpStatus, path: path ?? '', problem };
      return { code: shape.code, message: problem.message, data };
    },
  });

export const { router } = t;

/** First rung: credentials. Whatever is thrown from here on becomes a failure of the catalogue. */
const signedIn = t.procedure.use(async ({ ctx, type, next }) => {
  const caller = await catalogued(signIn(ctx, { allowStale: type === 'query' }));
  return passed(await next({ ctx: caller }));
});

/**
 * Second rung for a guild: path, then permission, then whether the bot is there. Knows the managed guild. Both rungs are one
 * middleware, for tRPC copies the whole call for each.
 */
export const guildManager = t.procedure
  .use(async ({ ctx, type, getRawInput, next }) => {
    const entered = await catalogued(enter(ctx, { allowStale: type === 'query' }, getRawInput));
    return passed(await next({ ctx: entered }));
  })
  .input(GuildInput);

async function catalogued<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw trpcErrorFrom(error);
  }
}

function passed<Result extends { readonly ok: boolean }>(result: Result): Result {
  if (!result.ok && 'error' in result) throw trpcErrorFrom(result.error);
  return result;
}

/** The same, and last before a change is validated: the body is read now, and is not too large. */
export const guildEditor = t.procedure.use(async ({ ctx, type, getRawInput, next }) => {
  const entered = await catalogued(enter(ctx, { allowStale: type === 'query' }, getRawInput));
  const input = await catalogued(wholeInput(ctx, await getRawInput()));
  // tRPC takes both at once, and its types one of them.
  const whole: object = { getRawInput: async () => input };
  return passed(await next({ ctx: entered, ...whole }));
});

/** Second rung for what only the application may do. */
export const applicationOnly = signedIn.use(({ ctx, next }) => {
  const { principal } = ctx;
  if (principal.kind !== 'application') throw new ProblemError('application-only');
  return next({ ctx: { principal } });
});
