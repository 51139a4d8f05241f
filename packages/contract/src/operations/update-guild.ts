import { GuildPatch, GuildPatchInput } from '../guild-patch.ts';
import { EXAMPLE_GUILD, EXAMPLE_PATCHES } from './examples.ts';
import { operation, RecordOutput } from './operation.ts';

export const updateGuild = operation({
  type: 'mutation',
  page: true,
  access: 'edit',
  input: GuildPatchInput,
  body: GuildPatch,
  declared: (schemas) => ({ input: schemas.GuildPatchInput, body: schemas.GuildPatch, custom: ['custom'] }),
  output: RecordOutput,
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
    response: 'The record after the change.',
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
});
