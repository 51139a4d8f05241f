import { fieldsOf, Guild, GuildPatch, GuildPatchInput, type Version } from '@guild-settings/contract';
import type { WritePermission } from '../auth/write-permission.ts';
import type { ChangeOptions } from '../domain/guild-service.ts';
import { authorizerOf, changeOptions, type GrantedGuild, guildAccess, writeAuthorized } from './authorize.ts';
import { awaitArrival } from './await-arrival.ts';
import type { Call } from './call.ts';
import { EXAMPLE_GUILD, EXAMPLE_PATCHES } from './example-guild.ts';
import { operation } from './operation.ts';
import { withConflicts } from './with-conflicts.ts';

export const updateGuild = operation({
  type: 'mutation',
  page: true,
  access: guildAccess('edit'),
  input: GuildPatchInput,
  body: GuildPatch,
  declared: (schemas) => ({ input: schemas.GuildPatchInput, body: schemas.GuildPatch }),
  output: Guild,
  rest: {
    method: 'PATCH',
    path: '/guilds/{guild}',
    operationId: 'updateGuild',
    tag: 'guilds',
    summary: 'Update guild settings',
    description:
      'Changes the settings that the body names. Omitted fields keep their values; arrays are replaced whole. A body ' +
      'that changes nothing succeeds without a new revision. The response is sent after the change is on the disk, ' +
      'and with `Prefer: wait=2` when it is in use in every process that follows the guild, or after 2 seconds.',
    response: 'The whole record after the change.',
    examples: { guild: { summary: 'A guild', value: EXAMPLE_GUILD } },
    requestHeaders: ['If-Match', 'If-None-Match', 'X-Audit-Log-Reason', 'X-On-Behalf-Of', 'Prefer'],
    responseHeaders: ['Arrival', 'Preference-Applied'],
    problems: ['revision-mismatch', 'change-log-full', 'write-unconfirmed'],
    declaredProblems: ['reserved-setting'],
    bodyExamples: {
      prefix: { summary: 'One field', value: EXAMPLE_PATCHES.one },
      several: { summary: 'Several fields', value: EXAMPLE_PATCHES.three },
      nothing: { summary: 'Nothing', value: {} },
    },
  },
  async handle(handled): Promise<Guild> {
    const { call, input } = handled;
    const settings = fieldsOf(input);
    const { guild } = await makeChange(handled, {
      fields: () => Object.keys(settings),
      write: (permission, options) => call.services.guilds.update(permission, settings, options),
    });
    return guild;
  },
});

interface GuildChange<Made> {
  readonly fields: () => readonly string[] | Promise<readonly string[]>;
  readonly isPreview?: boolean;
  readonly origin?: ChangeOptions['origin'];
  readonly write: (permission: WritePermission, options: ChangeOptions) => Promise<Made>;
}

/** Makes a change. Resolves with what `write` returns when it is committed; with `Prefer: wait`, when it is live. */
export async function makeChange<Made extends { readonly revision: number; readonly epoch?: string }>(
  { call, caller, guild, stored }: GrantedGuild<'edit'> & { readonly call: Call },
  { fields, isPreview = false, origin, write }: GuildChange<Made>,
): Promise<Made> {
  const options = { ...changeOptions(call, caller), ...(origin && { origin }) };
  const access = { caller, guild, authorize: authorizerOf(call, 'edit') };
  const made = await writeAuthorized(call, access, (permission) => write(permission, options)).catch((error: unknown) =>
    withConflicts(error, { call, guild, fields, options }),
  );
  call.response.version = await versionAfter(call, made);
  // A request that changes nothing returns the revision of an earlier commit.
  const isCommitted = made.revision > (stored?.revision ?? 0);
  if (!isPreview) await awaitArrival(call, guild, { revision: made.revision, isCommitted });
  return made;
}

/** Returns the state of the record after a change; of a preview, that to which it applies. */
export async function versionAfter(
  { services }: Call,
  { revision, epoch }: { readonly revision: number; readonly epoch?: string },
): Promise<Version> {
  return { revision, epoch: epoch ?? (await services.history.epochOf(revision)) };
}
