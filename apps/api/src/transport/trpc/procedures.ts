import { GuildInput, ProblemError } from '@guild-settings/contract';
import { type AnyProcedure, type inferProcedureOutput, initTRPC } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-openapi';
import type { ZodType } from 'zod';
import { enter, signIn, wholeInput } from '../../operations/authorize.ts';
import type { Context } from '../../operations/call.ts';
import { trpcErrorOf } from './error-shape.ts';

const t = initTRPC
  .context<Context>()
  .meta<OpenApiMeta>()
  .create({
    isDev: false,
    errorFormatter: ({ error, ctx, path = '' }) => trpcErrorOf(error, path, ctx?.request.url ?? `/trpc/${path}`),
  });

export const { router } = t;

/** First rung: credentials. */
const signedIn = t.procedure.use(async ({ ctx, type, next }) =>
  // A watch reads alone.
  next({ ctx: await signIn(ctx, { allowStale: type !== 'mutation' }) }),
);

/**
 * Second rung for a guild: path, then permission, then whether the bot is there. Knows the managed guild. Both rungs are one
 * middleware, for tRPC copies the whole call for each.
 */
export const guildManager = t.procedure
  .use(async ({ ctx, type, getRawInput, next }) =>
    next({ ctx: await enter(ctx, { allowStale: type === 'query' }, getRawInput) }),
  )
  .input(GuildInput);

/** The same, and last before a change is validated: the body is read now, and is not too large. */
export const guildEditor = t.procedure.use(async ({ ctx, type, getRawInput, next }) => {
  const entered = await enter(ctx, { allowStale: type === 'query' }, getRawInput);
  const input = await wholeInput(ctx, await getRawInput());
  // tRPC takes both at once, and its types one of them.
  const whole: object = { getRawInput: async () => input };
  return next({ ctx: entered, ...whole });
});

/** Second rung for what only the application may do. */
export const applicationOnly = signedIn.use(({ ctx, next }) => {
  const { principal } = ctx;
  if (principal.kind !== 'application') throw new ProblemError('application-only');
  return next({ ctx: { principal } });
});

/**
 * Says what a procedure gives, as the OpenAPI document wants to know it. `.output()` would check every answer as well, a
 * tenth of what a call costs, and records are rendered here, by their type, of what was checked when it was written.
 */
export function giving<Procedure extends AnyProcedure>(
  output: ZodType<inferProcedureOutput<Procedure>>,
  procedure: Procedure,
): Procedure {
  Object.assign(procedure._def, { output });
  return procedure;
}
