import {
  EXPECTED,
  type FieldChanges,
  fieldsOf,
  type ImportOutcome,
  ImportRow,
  issuesOf,
  ProblemError,
  type ProblemSlug,
} from '@guild-settings/contract';
import type { Operations } from '@guild-settings/contract/operations';
import { authorizeManager, type GuildAccess } from '../auth/guild-access.ts';
import { fieldChanges } from '../domain/change-log.ts';
import { type WritePermission, WritePermissionExpiredError } from '../domain/command.ts';
import type { ChangeOptions, ChangeOutcome } from '../domain/guild-service.ts';
import { storeProblem } from '../domain/store-problem.ts';
import type { ImportPlan } from '../domain/transfer-service.ts';
import { authorizerOf } from './access.ts';
import type { Call } from './call.ts';
import type { Caller } from './caller.ts';
import type { Handler } from './handler.ts';
import { changeOptions, requireFreshCaller, writeAuthorized } from './write.ts';

export const importGuilds: Handler<Operations['guilds']['importMany']> = async ({ caller, input, call }) => {
  const options = { ...changeOptions(call, caller), origin: 'import', settingsAt: ['settings'] } as const;
  if (options.precondition !== undefined) {
    const detail = 'If-Match and If-None-Match apply to one guild. Import it by itself to send them.';
    throw new ProblemError('invalid-request', { detail });
  }
  const context = { call, caller, options, isPreview: input.dry_run === true };
  const guilds = await call.services.transfer.inTurn(() => importRows(input.guilds, context));
  return { body: { guilds } };
};

interface ImportContext {
  readonly call: Call;
  readonly caller: Caller;
  readonly options: ChangeOptions;
  readonly isPreview: boolean;
}

interface Row extends ImportPlan {
  readonly index: number;
  readonly guild: GuildAccess<'manage'>;
}

async function importRows(rows: readonly unknown[], context: ImportContext): Promise<ImportOutcome[]> {
  const outcomes: ImportOutcome[] = [];
  const valid: Row[] = [];
  const { services } = context.call;
  const schema = services.schemas?.ImportRow ?? ImportRow;
  for (const [index, row] of rows.entries()) {
    const { data, error } = schema.safeParse(row, EXPECTED);
    if (data === undefined)
      outcomes[index] = refusedRow(idIn(row), new ProblemError('invalid-request', { issues: issuesOf(error) }));
    else {
      const guild = authorizeManager(context.caller.principal, data.guild);
      valid.push({
        index,
        guild,
        ...(await services.transfer.permitted(guild, fieldsOf(data.settings), context.options)),
      });
    }
  }
  const changed = context.isPreview ? await previewAll(valid, context) : await updateAll(valid, context);
  for (const [at, row] of valid.entries()) {
    const outcome = changed[at];
    if (outcome === undefined) throw new Error('Expected an outcome for each row');
    const { guild, skipped } = row;
    outcomes[row.index] =
      'refusal' in outcome
        ? refused(row, outcome.refusal)
        : { guild: guild.id, ...outcome, ...(skipped.length > 0 && { skipped }) };
  }
  return outcomes;
}

async function updateAll(rows: readonly Row[], context: ImportContext): Promise<readonly ChangeOutcome[]> {
  const { call, caller, options } = context;
  await requireFreshCaller(call, caller);
  const { mayWriteUntilMs } = caller;
  const patches = rows.map(({ guild, patch }) => ({ permission: { guild, mayWriteUntilMs }, patch }));
  const { guilds } = call.services;
  const outcomes = await guilds.updateAll(patches, options).catch((refusal: unknown) => rows.map(() => ({ refusal })));
  if (!outcomes.some(isDoubtful)) return outcomes;
  const again = await updateEach(
    rows.filter((_row, at) => isDoubtful(outcomes[at])),
    context,
  );
  return outcomes.map((outcome) => (isDoubtful(outcome) ? (again.shift() ?? outcome) : outcome));
}

/**
 * Returns true if a guild has to be updated individually: the permission expired before the transaction, or the bot
 * joined the guild.
 */
function isDoubtful(outcome: ChangeOutcome | undefined): boolean {
  if (outcome === undefined || !('refusal' in outcome)) return false;
  const { refusal } = outcome;
  return (
    refusal instanceof WritePermissionExpiredError || (refusal instanceof ProblemError && refusal.slug === 'bot-absent')
  );
}

function updateEach(rows: readonly Row[], { call, caller, options }: ImportContext): Promise<ChangeOutcome[]> {
  const { guilds } = call.services;
  return forPresent(rows, call, async ({ guild, patch }) => {
    const write = (permission: WritePermission) => guilds.update(permission, patch, options);
    const { change } = await writeAuthorized(call, { caller, guild, authorize: authorizerOf(call, 'edit') }, write);
    return { changes: fieldChanges(change, call.services.records.settings) };
  });
}

function previewAll(rows: readonly Row[], { call, options }: ImportContext): Promise<ChangeOutcome[]> {
  const { guilds } = call.services;
  return forPresent(rows, call, ({ guild, patch }) =>
    guilds.preview({ guild, mayWriteUntilMs: Number.POSITIVE_INFINITY }, patch, options),
  );
}

/** Makes or previews the changes of the guilds that the bot is in. */
async function forPresent(
  rows: readonly Row[],
  { services }: Call,
  change: (row: Row) => Promise<{ readonly changes: FieldChanges }>,
): Promise<ChangeOutcome[]> {
  const absent = await services.guilds.findBotAbsent(rows.map(({ guild }) => guild));
  return Promise.all(
    rows.map((row, at) => (absent[at] === undefined ? outcomeOf(() => change(row)) : { refusal: absent[at] })),
  );
}

async function outcomeOf(change: () => Promise<{ readonly changes: FieldChanges }>): Promise<ChangeOutcome> {
  try {
    const { changes } = await change();
    return { changes };
  } catch (refusal) {
    return { refusal };
  }
}

/** Problems that concern one guild. Others, such as a revoked token, fail the whole request. */
const ROW_PROBLEMS: readonly ProblemSlug[] = [
  'bot-absent',
  'change-log-full',
  'invalid-request',
  'store-unavailable',
  'write-unconfirmed',
];

function refused({ guild }: Row, refusal: unknown): ImportOutcome {
  const problem = storeProblem(refusal) ?? refusal;
  if (!(problem instanceof ProblemError) || !ROW_PROBLEMS.includes(problem.slug)) throw refusal;
  return refusedRow(guild.id, problem);
}

function refusedRow(guild: string | null, problem: ProblemError): ImportOutcome {
  return { guild, problem: rowProblem(problem) };
}

function rowProblem(error: ProblemError): Extract<ImportOutcome, { readonly problem: unknown }>['problem'] {
  const { type, title, status, detail, issues, retryAfter } = error.toProblem('');
  return { type, title, status, detail, ...(issues && { issues }), ...(retryAfter !== undefined && { retryAfter }) };
}

const MAX_ID_LENGTH = 64;

function idIn(row: unknown): string | null {
  if (typeof row !== 'object' || row === null || !('guild' in row) || typeof row.guild !== 'string') return null;
  return row.guild.slice(0, MAX_ID_LENGTH);
}
