import {
  type Difference,
  type FieldChanges,
  ImportedGuilds,
  ImportGuilds,
  ImportGuildsInput,
  type ImportOutcome,
  ImportRow,
  issuesOf,
  LIMITS,
  ProblemError,
  type ProblemSlug,
  type Shard,
} from '@guild-settings/contract';
import { authorizeGuild } from '../auth/managed-guild.ts';
import type { ChangeOptions } from '../domain/guild-service.ts';
import { storeProblem } from '../domain/store-problem.ts';
import { applicationOnly, type Caller, changeOptions, requireFreshCaller, writeAuthorized } from './authorize.ts';
import type { Call } from './call.ts';
import { EXAMPLE_GUILD } from './example-guild.ts';
import { operation } from './operation.ts';

/** Imports settings into many guilds, for those who move in from another store. */
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
            { guild: EXAMPLE_GUILD.id, changes: { prefix: { from: '!', to: '?' } } },
            { guild: '197038439483310087', problem: problemIn(new ProblemError('bot-absent')) },
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
            { guild: EXAMPLE_GUILD.id, settings: { prefix: '?' } },
            { guild: '197038439483310087', settings: { language: 'ja', enabledFeatures: ['reminders'] } },
          ],
        },
      },
    },
  },
  async handle({ caller, input, call }): Promise<ImportedGuilds> {
    const options = { ...changeOptions(call, caller), origin: 'import' } as const;
    if (options.precondition !== undefined) {
      const detail = 'If-Match and If-None-Match apply to one guild. Import it by itself to send them.';
      throw new ProblemError('invalid-request', { detail });
    }
    const { guilds, transfer } = call.services;
    let shards: Promise<readonly Shard[]> | undefined;
    const context: RowContext = {
      call,
      caller,
      options,
      isPreview: input.dry_run === true,
      reportedShards: () => {
        shards ??= guilds.reportedShards();
        return shards;
      },
    };
    await requireFreshCaller(call, caller);
    return { guilds: [...(await transfer.importRows(input.guilds, (row) => outcomeOf(row, context)))] };
  },
});

interface RowContext {
  readonly call: Call;
  readonly caller: Caller;
  readonly options: ChangeOptions;
  readonly isPreview: boolean;
  /** Returns the shards that bots have reported, read once. */
  readonly reportedShards: () => Promise<readonly Shard[]>;
}

/** Imports one row. @returns its changes, or the problem of the row */
async function outcomeOf(row: unknown, context: RowContext): Promise<ImportOutcome> {
  const { data, error } = ImportRow.safeParse(row);
  if (data === undefined) {
    return { guild: idIn(row), problem: problemIn(new ProblemError('invalid-request', { issues: issuesOf(error) })) };
  }
  try {
    return { guild: data.guild, changes: await importRow(data, context) };
  } catch (failure) {
    const problem = storeProblem(failure) ?? failure;
    if (!(problem instanceof ProblemError) || !ROW_PROBLEMS.includes(problem.slug)) throw failure;
    return { guild: data.guild, problem: problemIn(problem) };
  }
}

/** The problems of one guild. Others, such as that of a token that was revoked, are those of the whole request. */
const ROW_PROBLEMS: readonly ProblemSlug[] = [
  'bot-absent',
  'change-log-full',
  'store-unavailable',
  'write-unconfirmed',
];

async function importRow({ guild: id, settings }: ImportRow, context: RowContext): Promise<FieldChanges> {
  const { call, caller, options, isPreview, reportedShards } = context;
  const { guilds } = call.services;
  const guild = authorizeGuild(caller.principal, id);
  const version = await guilds.requireBot(guild, reportedShards);
  const { changes } = await writeAuthorized<Difference>(call, { caller, guild, version }, (permission) =>
    isPreview ? guilds.preview(permission, settings, options) : guilds.update(permission, settings, options),
  );
  return changes;
}

/** The longest id of a row that an outcome repeats. */
const MAX_ID_LENGTH = 64;

function idIn(row: unknown): string | null {
  if (typeof row !== 'object' || row === null || !('guild' in row) || typeof row.guild !== 'string') return null;
  return row.guild.slice(0, MAX_ID_LENGTH);
}

/** Returns the parts of a problem that differ between rows. */
function problemIn(error: ProblemError): Extract<ImportOutcome, { readonly problem: unknown }>['problem'] {
  const { instance: _instance, code: _code, message: _message, current: _current, ...problem } = error.toProblem('');
  return problem;
}
