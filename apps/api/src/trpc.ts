import { GuildInput, GuildPatch, issuesOf, LIMITS, type Problem, ProblemError } from '@guild-settings/contract';
import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import type { Context } from './context.ts';
import { instanceOf } from './http/problem-reply.ts';
import { enterGuild, signIn } from './ladder.ts';
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
  const caller = await signIn(ctx, { allowStale: type === 'query' }).catch((error: unknown) => {
    throw trpcErrorFrom(error);
  });
  const result = await next({ ctx: caller });
  if (!result.ok) throw trpcErrorFrom(result.error);
  return result;
});

/** Second rung for a guild: path, then permission, then whether the bot is there. Knows the managed guild. */
export const guildManager = signedIn
  .input(GuildInput)
  .use(async ({ ctx, input, next }) => next({ ctx: await enterGuild(ctx.services, ctx.principal, input.guild) }));

/** A tRPC input holds the guild beside what would be the body. */
const ENVELOPE_BYTES = 128;

/** Last rung before a change is validated: the body is read now, and is not too large. */
export const guildEditor = guildManager.use(async ({ ctx, getRawInput, next }) => {
  const path = await getRawInput();
  const { fields, bytes } = ctx.body;
  if (fields === null) {
    const calls = ctx.request.calls;
    if (bytes() > calls * (LIMITS.bodyBytes + ENVELOPE_BYTES)) throw new ProblemError('body-too-large');
    return next();
  }
  const body = await fields();
  if (Object.hasOwn(body, 'guild')) throw refusedPatch(body);
  return next({ getRawInput: async () => ({ ...body, ...(path as object) }) });
});

/** The guild is the path's to name: a body that names it has an unknown field, beside whatever else is wrong. */
function refusedPatch(body: object): ProblemError {
  const issues = issuesOf(GuildPatch.safeParse(body).error ?? { issues: [] });
  return new ProblemError('invalid-request', { issues });
}

/** Second rung for what only the application may do. */
export const applicationOnly = signedIn.use(({ ctx, next }) => {
  const { principal } = ctx;
  if (principal.kind !== 'application') throw new ProblemError('application-only');
  return next({ ctx: { principal } });
});
