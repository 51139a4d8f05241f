import { type ChangeOrigin, Guild, GuildPatch, GuildPatchInput } from '@guild-settings/contract';
import type { Principal } from '../auth/principal.ts';
import type { Change } from '../store/store.ts';
import { guildManager, writeAuthorized } from './authorize.ts';
import type { Transport } from './call.ts';
import { EXAMPLE_GUILD } from './example-guild.ts';
import { operation } from './operation.ts';

/** Changes some of a guild's settings. */
export const updateGuild = operation({
  type: 'mutation',
  access: guildManager,
  input: GuildPatchInput,
  body: GuildPatch,
  output: Guild,
  rest: {
    method: 'PATCH',
    path: '/guilds/{guild}',
    operationId: 'updateGuild',
    tag: 'guilds',
    summary: 'Update guild settings',
    description:
      'Changes the settings that the body names. Omitted fields keep their values; arrays are replaced whole. A body ' +
      'that changes nothing succeeds without a new revision. The response is sent after the change is on the disk.',
    response: 'The whole record after the change.',
    examples: { guild: { summary: 'A guild', value: EXAMPLE_GUILD } },
    requestHeaders: ['If-Match', 'If-None-Match', 'X-Audit-Log-Reason', 'X-On-Behalf-Of'],
    problems: ['revision-mismatch', 'change-log-full', 'write-unconfirmed'],
    bodyExamples: {
      prefix: { summary: 'One field', value: { prefix: '?' } },
      several: { summary: 'Several fields', value: { beta: true, language: 'ja', enabledFeatures: ['reminders'] } },
      nothing: { summary: 'Nothing', value: {} },
    },
  },
  async handle({ caller, guild: managed, version, input, call }): Promise<Guild> {
    const { guild: _id, ...patch } = input;
    const change = {
      actor: actorOf(caller.principal),
      origin: originOf(caller.principal, call.request.transport),
      reason: call.request.auditReason(),
      precondition: call.request.precondition(),
    };
    const { guild, revision } = await writeAuthorized(call, { caller, guild: managed, version }, (permission) =>
      call.services.guilds.update(permission, patch, change),
    );
    call.response.revision = revision;
    return guild;
  },
});

function actorOf(principal: Principal): Change['actor'] {
  if (principal.kind === 'user') return { kind: 'user', id: principal.userId };
  if (principal.onBehalfOf !== undefined) return { kind: 'user', id: principal.onBehalfOf };
  return { kind: 'application', id: principal.applicationId };
}

/** A change by the application on behalf of a user is a command of the bot. */
function originOf(principal: Principal, transport: Transport): ChangeOrigin {
  return principal.kind === 'application' && principal.onBehalfOf !== undefined ? 'bot' : transport;
}
