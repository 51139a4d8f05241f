import { type GuildId, GuildInput, GuildPatch, issuesOf, ProblemError } from '@guild-settings/contract';
import { bearerToken } from '../auth/bearer-token.ts';
import { authorizeGuild, type ManagedGuild } from '../auth/managed-guild.ts';
import type { Principal } from '../auth/principal.ts';
import type { GuildStamp } from '../store/store.ts';
import { readOnBehalfOf } from '../transport/headers/on-behalf-of.ts';
import type { Context, Services } from './call.ts';

/** An authenticated caller, and when its token expires, in monotonic milliseconds. */
export interface SignedIn {
  readonly principal: Principal;
  readonly tokenExpiresAtMs: number;
  /** Until when the body has to be in for a write to rely on this judgement, in monotonic milliseconds. */
  readonly bodyUntilMs: number;
  /** Until when a write may rely on the check of the token, in monotonic milliseconds. */
  readonly mayWriteUntilMs: number;
}

/** What the second rung knows: a guild that the caller manages, and the store's stamp of it (null: nothing stored). */
export interface Entered {
  readonly guild: ManagedGuild;
  readonly stamp: GuildStamp | null;
}

/** How long a body may take before its sender's permission is judged again, in milliseconds. */
export const WRITE_GRACE_MS = 1_000;

/**
 * First rung: credentials. Knows the principal, within its rate limit.
 * @param options `allowStale`: as {@link Authenticator.authenticate} takes it, for what reads alone
 */
export async function signIn(ctx: Context, options: { readonly allowStale: boolean }): Promise<SignedIn> {
  const { services, request, reply } = ctx;
  const token = bearerToken(request.authorization);
  ctx.caller.checked ??= services.authenticator.authenticate(token, request.address, options);
  const checked = await ctx.caller.checked;
  const principal = actingPrincipal(ctx, checked.principal);
  await services.principalLimit.spend(principal, (state) => {
    reply.rateLimit = state;
  });
  if (ctx.inputProblem) throw ctx.inputProblem;
  const { expiresAtMs: tokenExpiresAtMs, freshUntilMs: mayWriteUntilMs } = checked;
  const bodyUntilMs = Math.min(mayWriteUntilMs, services.monotonicMs() + WRITE_GRACE_MS);
  return { principal, tokenExpiresAtMs, bodyUntilMs, mayWriteUntilMs };
}

/** The principal, with the person that the application acts for. */
export function actingPrincipal({ request }: Context, found: Principal): Principal {
  return found.kind === 'application' ? { ...found, ...readOnBehalfOf(request.onBehalfOf) } : found;
}

/** Second rung for a guild, when its id has been found well-formed: permission, then whether the bot is there. */
export async function enterGuild(services: Services, principal: Principal, id: GuildId): Promise<Entered> {
  const guild = authorizeGuild(principal, id);
  return { guild, stamp: await services.presence.requireBot(guild) };
}

/** Both rungs of a guild: credentials, then path, then permission, then whether the bot is there. */
export async function enter(
  ctx: Context,
  options: { readonly allowStale: boolean },
  getRawInput: () => Promise<unknown>,
): Promise<SignedIn & Entered> {
  const { principal, tokenExpiresAtMs, bodyUntilMs, mayWriteUntilMs } = await signIn(ctx, options);
  const { data, error } = GuildInput.safeParse(await getRawInput());
  if (data === undefined) throw new ProblemError('invalid-request', { issues: issuesOf(error) });
  const { guild, stamp } = await enterGuild(ctx.services, principal, data.guild);
  return { principal, tokenExpiresAtMs, bodyUntilMs, mayWriteUntilMs, guild, stamp };
}

/** Last rung before a change is validated: what came with the address and, over REST, in the body, which is read now. */
export async function wholeInput({ body: { fields } }: Context, path: unknown): Promise<unknown> {
  if (fields === null) return path;
  const body = await fields();
  if (Object.hasOwn(body, 'guild')) throw refusedPatch(body);
  return { ...body, ...(path as object) };
}

/** The guild is the path's to name: a body that names it has an unknown field, beside whatever else is wrong. */
function refusedPatch(body: object): ProblemError {
  const issues = issuesOf(GuildPatch.safeParse(body).error ?? { issues: [] });
  return new ProblemError('invalid-request', { issues });
}
