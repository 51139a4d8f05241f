import { ImportDocument, ImportInput, ImportResult } from '../import.ts';
import { LIMITS } from '../limits.ts';
import { EXAMPLE_DIFFERENCE, EXAMPLE_EXPORT, EXAMPLE_GUILD, EXAMPLE_PATCHES } from './examples.ts';
import { operation } from './operation.ts';

export const importGuild = operation({
  type: 'mutation',
  page: true,
  access: 'edit',
  input: ImportInput,
  body: ImportDocument,
  bodyField: 'document',
  declared: (schemas) => ({
    input: schemas.ImportInput,
    body: schemas.ImportDocument,
    custom: ['document', 'settings', 'custom'],
  }),
  output: ImportResult,
  maxInputBytes: LIMITS.importBytes,
  rest: {
    method: 'POST',
    path: '/guilds/{guild}/import',
    query: ['dry_run'],
    operationId: 'importGuild',
    tag: 'transfer',
    summary: 'Import settings into a guild',
    description:
      'Sets the settings of an export, as one change. Importing the present settings succeeds without a new revision. ' +
      'Fields that cannot exist in this guild are skipped and listed in `skipped`: the channel of another guild, a field of a ' +
      'newer version, and the history, because the authors of its changes cannot be verified.',
    response: 'The changed fields, the skipped fields, and the record after the import.',
    examples: {
      imported: {
        summary: 'An import',
        value: { ...EXAMPLE_DIFFERENCE, skipped: [], guild: EXAMPLE_GUILD },
      },
      preview: {
        summary: 'With dry_run, of another guild',
        value: {
          revision: 7,
          changes: {},
          skipped: [
            {
              field: 'announcement_channel',
              pointer: '/settings/announcement_channel',
              value: '381870553235193857',
              reason: 'other-guild',
              detail: 'The channel belongs to the guild that was exported. Choose one of this guild.',
            },
          ],
        },
      },
    },
    requestHeaders: ['If-Match', 'If-None-Match', 'X-Audit-Log-Reason', 'X-On-Behalf-Of', 'Prefer'],
    responseHeaders: ['Arrival', 'Preference-Applied'],
    problems: ['revision-mismatch', 'change-log-full', 'write-unconfirmed'],
    bodyExamples: {
      export: { summary: 'An export', value: EXAMPLE_EXPORT },
      some: {
        summary: 'Some settings',
        value: { version: 1, guild: EXAMPLE_GUILD.id, settings: EXAMPLE_PATCHES.another },
      },
    },
  },
});
