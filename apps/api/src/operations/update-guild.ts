import { type ChangeOrigin, Guild, GuildPatchInput, issuesOf, ProblemError } from '@guild-settings/contract';
import type { z } from 'zod';
import type { Principal } from '../auth/principal.ts';
import type { Change } from '../store/store.ts';
import { readAuditReason } from '../transport/headers/audit-reason.ts';
import { preconditionOf } from '../transport/headers/request-preconditions.ts';
import { giving, guildEditor } from '../transport/trpc/procedures.ts';
import { type Entered, enter, type SignedIn, wholeInput } from './authorize.ts';
import { writeAuthorized } from './authorized-write.ts';
import type { Context } from './call.ts';

/** Changes some of a guild's settings. */
export const updateGuild = giving(
  Guild,
  guildEditor
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/guilds/{guild}',
        operationId: 'updateGuild',
        tags: ['guilds'],
        errorResponses: [],
        summary: 'Update guild settings',
        description:
          'Changes the settings that the body names; omitted fields stay, arrays are replaced whole. A body that ' +
          'changes nothing is a success without a new revision. The answer is acknowledged only when it is on the disk.',
        contentTypes: ['application/json', 'application/merge-patch+json'],
      },
    })
    .input(GuildPatchInput)
    .mutation(async ({ ctx, input }) => change(ctx, ctx, input)),
);

/** The same for REST: rung by rung what the procedure does, without what tRPC adds to a call. */
export async function updateGuildDirectly(ctx: Context, params: unknown): Promise<Guild> {
  const entered = await enter(ctx, { allowStale: false }, async () => params);
  const { data, error } = GuildPatchInput.safeParse(await wholeInput(ctx, params));
  if (data === undefined) throw new ProblemError('invalid-request', { issues: issuesOf(error) });
  return change(ctx, entered, data);
}

async function change(
  ctx: Context,
  entered: SignedIn & Entered,
  { guild: _guild, ...patch }: z.infer<typeof GuildPatchInput>,
): Promise<Guild> {
  const { principal } = entered;
  const change = {
    actor: actorOf(principal),
    origin: originOf(principal, ctx.request.door),
    reason: readAuditReason(ctx.request.auditReason),
    precondition: preconditionOf(ctx),
  };
  const { guild, revision } = await writeAuthorized(ctx, entered, (permission) =>
    ctx.services.guilds.update(permission, patch, change),
  );
  ctx.reply.revision = revision;
  return guild;
}

function actorOf(principal: Principal): Change['actor'] {
  if (principal.kind === 'user') return { kind: 'user', id: principal.userId };
  if (principal.onBehalfOf !== undefined) return { kind: 'user', id: principal.onBehalfOf };
  return { kind: 'application', id: principal.applicationId };
}

/** The application acting for a person is the bot, carrying out somebody's command. */
function originOf(principal: Principal, door: 'rest' | 'trpc'): ChangeOrigin {
  return principal.kind === 'application' && principal.onBehalfOf !== undefined ? 'bot' : door;
}
