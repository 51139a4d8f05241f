import { ExportInput, GuildExport } from '../export.ts';
import { LIMITS } from '../limits.ts';
import { EXAMPLE_ENTRY, EXAMPLE_EXPORT } from './examples.ts';
import { LARGEST_RESULT_BYTES, operation } from './operation.ts';

export const exportGuild = operation({
  type: 'query',
  page: true,
  access: 'view',
  input: ExportInput,
  output: GuildExport,
  maxOutputBytes: LARGEST_RESULT_BYTES,
  isOfManyRows: true,
  rest: {
    method: 'GET',
    path: '/guilds/{guild}/export',
    query: ['history'],
    operationId: 'exportGuild',
    tag: 'transfer',
    summary: 'Export the settings of a guild',
    description:
      'Returns the settings as a document, which an import takes, for this guild or another one. With `history`, ' +
      `which is for managers, the access list and the newest changes as well, up to ${LIMITS.exportedHistoryBytes / 1024} KiB of them; the document says where the ` +
      'others are. `/schemas/guild-export.v1.json` is its JSON Schema.',
    response: 'The export.',
    examples: {
      export: { summary: 'Without the history', value: EXAMPLE_EXPORT },
      history: {
        summary: 'With the history',
        value: { ...EXAMPLE_EXPORT, history: { entries: [EXAMPLE_ENTRY], complete: true } },
      },
    },
    requestHeaders: ['X-On-Behalf-Of'],
    problems: ['insufficient-access'],
  },
});
