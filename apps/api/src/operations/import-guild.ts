import { ImportDocument, ImportInput, ImportResult, LIMITS, settingsOf } from '@guild-settings/contract';
import { changeOptions, guildManager, writeAuthorized } from './authorize.ts';
import { respondToChange } from './await-arrival.ts';
import { EXAMPLE_EXPORT } from './example-export.ts';
import { EXAMPLE_GUILD } from './example-guild.ts';
import { operation } from './operation.ts';
import { withConflicts } from './with-conflicts.ts';

/** Imports settings into a guild. */
export const importGuild = operation({
  type: 'mutation',
  access: guildManager,
  input: ImportInput,
  body: ImportDocument,
  bodyField: 'document',
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
      'Sets the settings of an export, as one change. Importing what is there already succeeds without a new revision. ' +
      'What cannot exist in this guild is left alone and named in `skipped`: the channel of another guild, a field of a ' +
      'newer version, and the history, because the authors of its changes cannot be proven.',
    response: 'The changed fields, what was left alone, and the record after the import.',
    examples: {
      imported: {
        summary: 'An import',
        value: { revision: 42, changes: { prefix: { from: '!', to: '?' } }, skipped: [], guild: EXAMPLE_GUILD },
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
      some: { summary: 'Some settings', value: { version: 1, guild: EXAMPLE_GUILD.id, settings: { language: 'ja' } } },
    },
  },
  async handle({ caller, guild: managed, stored, input, call }): Promise<ImportResult> {
    const { transfer } = call.services;
    const { document } = input;
    const options = { ...changeOptions(call, caller), origin: 'import' } as const;
    const refused = { call, guild: managed, fields: () => Object.keys(settingsOf(document.settings)), options };
    const access = { caller, guild: managed, stored };
    if (input.dry_run === true) {
      const preview = writeAuthorized(call, access, (permission) =>
        transfer.previewImport(permission, document, options),
      );
      const { changes, skipped, revision } = await preview.catch((error: unknown) => withConflicts(error, refused));
      call.response.revision = revision;
      return { revision, changes, skipped: [...skipped] };
    }
    const write = writeAuthorized(call, access, (permission) => transfer.import(permission, document, options));
    const { guild, revision, changes, skipped } = await write.catch((error: unknown) => withConflicts(error, refused));
    await respondToChange(call, access, revision);
    return { revision, changes, skipped: [...skipped], guild };
  },
});
