import { GuildInput, LIMITS, type Problem, ProblemError } from '@guild-settings/contract';
import { initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import { bearerToken } from './auth/bearer-token.ts';
import { authorizeGuild } from './auth/managed-guild.ts';
import { readOnBehalfOf } from './auth/on-behalf-of.ts';
import type { Principal } from './auth/principal.ts';
import type { Context } from './context.ts';
import { problemFrom, trpcErrorFrom } from './problems.ts';

const t = initTRPC
  .context<Context>()
  .meta<OpenApiMeta>()
  .create({
    isDev: false,
    errorFormatter({ shape, error, ctx, path }) {
      const problem: Problem = problemFrom(error).toProblem(ctx?.request.path ?? `/trpc/${path ?? ''}`);
      const data = { code: shape.data.code, httpStatus: shape.data.httpStatus, path: path ?? '', problem };
      return { code: shape.code, message: problem.message, data };
    },
  });

export const { router } = t;

/** Every procedure: whatever it throws becomes a failure of the catalogue. */
const procedure = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (!result.ok) throw trpcErrorFrom(result.error);
  return result;
});

/** First rung: credentials. Knows the principal, within its rate limit. */
export const signedIn = procedure.use(async ({ ctx, type, next }) => {
  const { services, request, reply } = ctx;
  const token = bearerToken(request.authorization);
  const allowStale = type === 'query';
  const found = await services.authenticator.authenticate(token, request.address, { allowStale });
  const principal: Principal =
    found.kind === 'application' ? { ...found, ...readOnBehalfOf(request.onBehalfOf) } : found;
  await services.principalLimit.spend(principal, (state) => {
    reply.rateLimit = state;
  });
  return next({ ctx: { principal } });
});

/** Second rung for a guild: path, then permission, then whether the bot is there. Knows the managed guild. */
export const guildManager = signedIn.input(GuildInput).use(async ({ ctx, input, next }) => {
  const guild = authorizeGuild(ctx.principal, input.guild);
  await ctx.services.presence.requireBot(guild);
  return next({ ctx: { guild } });
});

/** Last rung before a body is validated: it could be read, and is not too large. */
export const guildEditor = guildManager.use(async ({ ctx, getRawInput, next }) => {
  if (ctx.bodyProblem) throw ctx.bodyProblem;
  if (ctx.request.door === 'trpc' && sizeOf(await getRawInput()) > LIMITS.bodyBytes) {
    throw new ProblemError('body-too-large');
  }
  return next();
});

/** Second rung for what only the application may do. */
export const applicationOnly = signedIn.use(({ ctx, next }) => {
  const { principal } = ctx;
  if (principal.kind !== 'application') throw new ProblemError('application-only');
  return next({ ctx: { principal } });
});

function sizeOf(input: unknown): number {
  return Buffer.byteLength(JSON.stringify(input) ?? '');
}
