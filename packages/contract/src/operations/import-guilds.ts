import { ImportedGuilds, ImportGuilds, ImportGuildsInput } from '../import.ts';
import { LIMITS } from '../limits.ts';
import { ProblemError } from '../problem.ts';
import { EXAMPLE_DIFFERENCE, EXAMPLE_GUILD, EXAMPLE_PATCHES } from './examples.ts';
import { operation } from './operation.ts';

const { type, title, status, detail } = new ProblemError('bot-absent').toProblem('');

export const importGuilds = operation({
  type: 'mutation',
  access: 'application',
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
            { guild: '197038439483310087', problem: { type, title, status, detail } },
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
});
