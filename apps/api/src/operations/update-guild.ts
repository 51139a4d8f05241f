import { Guild, GuildPatch, GuildPatchInput, settingsOf } from '@guild-settings/contract';
import type { WritePermission } from '../auth/write-permission.ts';
import type { ChangeOptions } from '../domain/guild-service.ts';
import type { GuildAtRevision } from '../domain/record.ts';
import { changeOptions, type GuildAccess, guildManager, writeAuthorized } from './authorize.ts';
import { respondToChange } from './await-arrival.ts';
import type { Call } from './call.ts';
import { EXAMPLE_GUILD } from './example-guild.ts';
import { operation } from './operation.ts';
import { withConflicts } from './with-conflicts.ts';

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
      'that changes nothing succeeds without a new revision. The response is sent after the change is on the disk, ' +
      'and with `Prefer: wait=2` when it is in use in every process that follows the guild, or after 2 seconds.',
    response: 'The whole record after the change.',
    examples: { guild: { summary: 'A guild', value: EXAMPLE_GUILD } },
    requestHeaders: ['If-Match', 'If-None-Match', 'X-Audit-Log-Reason', 'X-On-Behalf-Of', 'Prefer'],
    responseHeaders: ['Arrival', 'Preference-Applied'],
    problems: ['revision-mismatch', 'change-log-full', 'write-unconfirmed'],
    bodyExamples: {
      prefix: { summary: 'One field', value: { prefix: '?' } },
      several: { summary: 'Several fields', value: { beta: true, language: 'ja', enabledFeatures: ['reminders'] } },
      nothing: { summary: 'Nothing', value: {} },
    },
  },
  handle({ caller, guild: managed, stored, input, call }): Promise<Guild> {
    const { guild: _id, ...patch } = input;
    const options = changeOptions(call, caller);
    return changeGuild(call, {
      access: { caller, guild: managed, stored },
      options,
      fields: () => Object.keys(settingsOf(patch)),
      write: (permission) => call.services.guilds.update(permission, patch, options),
    });
  },
});

/** A change of a guild's settings. */
interface GuildChange {
  readonly access: GuildAccess;
  readonly options: ChangeOptions;
  /** Returns the fields that it sets, for the conflicts of a failed If-Match. */
  readonly fields: () => readonly string[];
  readonly write: (permission: WritePermission) => Promise<GuildAtRevision>;
}

/** Makes a change and returns the record after it, when it is committed; with `Prefer: wait`, when it is live. */
export async function changeGuild(call: Call, { access, options, fields, write }: GuildChange): Promise<Guild> {
  const { guild, revision } = await writeAuthorized(call, access, write).catch((error: unknown) =>
    withConflicts(error, { call, guild: access.guild, fields, options }),
  );
  await respondToChange(call, access, revision);
  return guild;
}
