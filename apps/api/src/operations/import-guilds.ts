import { ImportedGuilds, ImportGuilds, ImportGuildsInput, LIMITS, ProblemError } from '@guild-settings/contract';
import { changeOptions } from './authorize.ts';
import { applicationOnly } from './caller-access.ts';
import { EXAMPLE_DIFFERENCE, EXAMPLE_GUILD, EXAMPLE_PATCHES } from './example-guild.ts';
import { importRows, rowProblem } from './import-rows.ts';
import { operation } from './operation.ts';

export const importGuilds = operation({
  type: 'mutation',
  access: applicationOnly,
  input: ImportGuildsInput,
  body: ImportGuilds,
  output: ImportedGuilds,
  maxInputBytes: LIMITS.importBytes,
  rest: {
    method: 'POST',
    path: '/imports',
    query: ['dry_run'],
    operationId: 'importGuilds',
    tag: 'transfer',
    summary: 'Import settings into many guilds',
    description:
      `Sets the settings of up to ${LIMITS.importGuilds} guilds, as the application. Each guild that changes has one new ` +
      'revision; one that has these settings already has none, so the request may be sent again. A row that is refused ' +
      'does not affect the others.',
    response: 'The outcomes, in the order of the rows.',
    examples: {
      outcomes: {
        summary: 'A changed guild, and a refused row',
        value: {
          guilds: [
            { guild: EXAMPLE_GUILD.id, changes: EXAMPLE_DIFFERENCE.changes },
            { guild: '197038439483310087', problem: rowProblem(new ProblemError('bot-absent')) },
          ],
        },
      },
    },
    requestHeaders: ['X-Audit-Log-Reason', 'X-On-Behalf-Of'],
    problems: [],
    bodyExamples: {
      rows: {
        summary: 'Two guilds',
        value: {
          guilds: [
            { guild: EXAMPLE_GUILD.id, settings: EXAMPLE_PATCHES.one },
            { guild: '197038439483310087', settings: EXAMPLE_PATCHES.two },
          ],
        },
      },
    },
  },
  async handle({ caller, input, call }): Promise<ImportedGuilds> {
    const options = { ...changeOptions(call, caller), origin: 'import', settingsAt: ['settings'] } as const;
    if (options.precondition !== undefined) {
      const detail = 'If-Match and If-None-Match apply to one guild. Import it by itself to send them.';
      throw new ProblemError('invalid-request', { detail });
    }
    const context = { call, caller, options, isPreview: input.dry_run === true };
    return { guilds: await call.services.transfer.inTurn(() => importRows(input.guilds, context)) };
  },
});
