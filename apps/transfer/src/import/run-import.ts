import type { Importer } from '../service/importer.ts';
import { openSource } from '../sources/open-source.ts';
import { SourceError } from '../sources/source.ts';
import type { Progress } from '../terminal/progress.ts';
import type { Difference } from './difference.ts';
import type { ImportCommand } from './options.ts';
import { type ReadCounts, readSource } from './read-source.ts';
import { RefusalFile } from './refusals.ts';
import { type SendStagedOptions, sendStaged } from './send-staged.ts';
import { type BatchLimits, Staging } from './staging.ts';
import { UnfinishedError } from './unfinished-error.ts';

/** The result of an import. */
export interface ImportResult extends ReadCounts {
  /** Guilds with settings in the file. */
  readonly guilds: number;
  readonly difference: Difference;
  readonly rejected: number;
  /** What was done with the difference. */
  readonly outcome: 'applied' | 'compared' | 'declined';
}

/** Options of {@link runImport}. */
export interface RunImportOptions {
  readonly command: ImportCommand;
  readonly importer: Importer;
  /** What one call to the service may hold. */
  readonly limits: BatchLimits;
  readonly signal: AbortSignal;
  /** Shows the progress of some work. */
  readonly showProgress: (what: string, total: number) => Progress;
  /** Shows the difference and asks whether to apply it. */
  readonly confirm: (found: ImportResult) => Promise<boolean>;
}

/**
 * Imports a file: reads all of it, then finds the difference, or applies it.
 * @throws SourceError when the file cannot be read or has nothing to import; UnfinishedError
 */
export async function runImport(options: RunImportOptions): Promise<ImportResult> {
  const { command, signal, confirm } = options;
  using staging = new Staging();
  using refusals = new RefusalFile(command.rejects);
  const entries = openSource({ ...command.source, table: command.table, delimiter: command.delimiter });
  const { mapping, mayReplace, mode } = command;
  const counts = await readSource({ entries, mapping, mayReplace, staging, refusals, signal });
  const result = (difference: Difference, outcome: ImportResult['outcome']): ImportResult => {
    return { ...counts, guilds: staging.count, difference, rejected: refusals.count, outcome };
  };
  if (staging.count === 0 && refusals.count === 0) throw nothingFound(command, counts);
  const send = (step: Step) => sendWithProgress({ ...step, staging, refusals }, options);
  if (mode === 'apply') return result(await send({ state: 'unknown', dryRun: false, total: staging.count }), 'applied');
  const found = result(await send({ state: 'unknown', dryRun: true, total: staging.count }), 'compared');
  if (mode === 'dry-run' || found.difference.changed === 0) return found;
  if (!(await confirm(found))) return { ...found, outcome: 'declined' };
  return result(await send({ state: 'differs', dryRun: false, total: found.difference.changed }), 'applied');
}

interface Step {
  readonly state: SendStagedOptions['state'];
  readonly dryRun: boolean;
  readonly total: number;
}

async function sendWithProgress(
  step: Step & Pick<SendStagedOptions, 'staging' | 'refusals'>,
  { importer, limits, signal, showProgress }: RunImportOptions,
): Promise<Difference> {
  let done = 0;
  using progress = showProgress(step.dryRun ? 'Comparing' : 'Importing', step.total);
  const onProgress = (count: number) => {
    done = count;
    progress.update(count);
  };
  try {
    return await sendStaged({ ...step, importer, limits, onProgress, signal });
  } catch (error) {
    throw step.dryRun ? error : new UnfinishedError(done, step.total, error);
  }
}

function nothingFound({ source, mapping }: ImportCommand, { rows, firstOthers }: ReadCounts): SourceError {
  const { guildPath, keys, paths } = mapping;
  const expected = [
    ...(guildPath === undefined ? [`keys such as ${keys.text} (--key)`] : []),
    `a value at ${paths.map(({ path }) => path).join(', ')} (--map)`,
  ].join(' and ');
  const received = rows === 0 ? 'no row' : `${rows} others, such as ${firstOthers.join(', ')}`;
  return new SourceError(`Expected rows with ${expected} in ${source.path}, received ${received}.`);
}
