import {
  counted,
  type DeclaredSettings,
  type FieldPatch,
  type Mentioned,
  type Setting,
} from '@guild-settings/contract';
import { UnfinishedError } from '../explain-failure.ts';
import { type Mapping, mappingOf } from '../mapping/mapping.ts';
import type { EmptyPrefix } from '../mapping/take-value.ts';
import { SourceError } from '../sources/source.ts';
import type { Progress } from '../terminal.ts';
import type { Changes, Importer } from './importer.ts';
import type { ImportCommand } from './options.ts';
import { type ReadCounts, readSource } from './read-source.ts';
import { type BatchLimits, Rejects, type StagedGuild, Staging } from './staging.ts';

/** Concurrent calls: the service processes one while the response to the other is read. */
const CONCURRENT_CALLS = 2;

export interface ImportResult extends ReadCounts {
  readonly guilds: number;
  readonly difference: Difference;
  /** Counts and first examples of rejected rows and values. */
  readonly rejected: Pick<Rejects, 'rows' | 'values' | 'first' | 'file'>;
  readonly outcome: 'applied' | 'compared' | 'declined';
}

interface RunImportOptions {
  readonly command: ImportCommand;
  readonly importer: Importer;
  readonly limits: BatchLimits;
  readonly signal: AbortSignal;
  readonly showProgress: (what: string, total: number) => Progress;
  readonly askEmptyPrefix: () => Promise<Exclude<EmptyPrefix, 'ask'>>;
  /** Shows the difference and asks for confirmation. */
  readonly confirm: (found: ImportResult) => Promise<boolean>;
}

/**
 * Imports a file: reads all of it, then determines the difference, or applies it.
 * @throws UsageError for a setting that the service does not have; SourceError when the file cannot be read or contains
 * nothing to import; UnfinishedError
 */
export async function runImport(options: RunImportOptions): Promise<ImportResult> {
  const { command, importer, signal, confirm, askEmptyPrefix } = options;
  const mapping = mappingOf(command.mapping, importer.declared);
  using staging = new Staging();
  using rejects = new Rejects();
  if (command.mode === 'apply' || command.hasRejects) rejects.writeTo(command.rejects);
  const counts = await readSource(command, { mapping, staging, rejects, signal, askEmptyPrefix });
  if (staging.count === 0 && rejects.count === 0) throw nothingFound(command, mapping, counts);
  const result = (difference: Difference, outcome: ImportResult['outcome']): ImportResult => {
    const { rows, values, first, file } = rejects;
    return { ...counts, guilds: staging.count, difference, rejected: { rows, values, first, file }, outcome };
  };
  const send = (step: Step) => sendStaged({ ...options, ...step, staging, rejects });
  const all = { state: 'unknown', total: staging.count } as const;
  if (command.mode === 'apply') return result(await send({ ...all, dryRun: false }), 'applied');
  const found = result(await send({ ...all, dryRun: true }), 'compared');
  if (command.mode === 'dry-run' || found.difference.changed === 0) return found;
  if (!(await confirm(found))) return { ...found, outcome: 'declined' };
  rejects.writeTo(command.rejects);
  return result(await send({ state: 'differs', total: found.difference.changed, dryRun: false }), 'applied');
}

interface Step {
  /** The guilds to send: all, or those for which a dry run has found a difference. */
  readonly state: 'unknown' | 'differs';
  readonly total: number;
  readonly dryRun: boolean;
}

interface SendStagedOptions extends RunImportOptions, Step {
  readonly staging: Staging;
  readonly rejects: Rejects;
}

/**
 * Sends guilds to the service. A guild that the service refuses is written to the rejects.
 * @throws the error of a call, or the reason of the signal, when no call is in flight; wrapped in UnfinishedError,
 * unless it is a dry run
 */
async function sendStaged(options: SendStagedOptions): Promise<Difference> {
  const { importer, state, total, dryRun, staging, limits, signal, showProgress } = options;
  const difference = new Difference(importer.declared);
  let done = 0;
  using progress = showProgress(dryRun ? 'Comparing' : 'Importing', total);
  // Both workers take their batches from one generator, which ends when one of them fails.
  const batches = staging.batches(state, limits);
  const work = async () => {
    for (const batch of batches) {
      signal.throwIfAborted();
      await sendBatch(batch, difference, options);
      done += batch.length;
      progress.update(done);
    }
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENT_CALLS }, work));
  const failed = results.find((one) => one.status === 'rejected');
  if (failed === undefined) return difference;
  throw dryRun ? failed.reason : new UnfinishedError(done, total, failed.reason);
}

async function sendBatch(
  batch: readonly StagedGuild[],
  difference: Difference,
  { staging, state, dryRun, importer, rejects }: SendStagedOptions,
): Promise<void> {
  const outcomes = await importer.send(batch, dryRun);
  for (const [index, { guild, settings, place }] of batch.entries()) {
    const outcome = outcomes[index];
    if (outcome === undefined) throw new Error(`Expected the outcome of guild ${guild}`);
    if ('problem' in outcome) {
      rejects.add({ place, guild, reason: outcome.problem, value: settings });
    } else {
      difference.add(guild, settings, outcome.changes);
      // For a compared guild, these are already among the rejects.
      for (const { pointer, detail, value } of state === 'differs' ? [] : (outcome.skipped ?? [])) {
        const field = pointer.split('/').slice(2).join('.');
        rejects.add({ place, guild, field, reason: `${field}: ${detail}`, value });
      }
      if (dryRun && Object.keys(outcome.changes).length > 0) staging.markDifferent(guild);
    }
  }
}

function nothingFound(
  { source }: ImportCommand,
  { guildPath, keys, paths }: Mapping,
  { rows, firstOthers, unmapped }: ReadCounts,
): SourceError {
  const expected = [
    ...(guildPath === undefined ? [`keys such as ${keys.text} (--key)`] : []),
    `a value at ${someOf(paths.map(({ path }) => path))} (--map)`,
  ].join(' and ');
  const received = rows === 0 ? 'no rows' : `${counted(rows, 'other row')}, such as ${firstOthers.join(', ')}`;
  const names = unmapped.isEmpty ? '' : ` The rows of guilds have: ${unmapped}.`;
  return new SourceError(`Expected rows with ${expected} in ${source.path}, received ${received}.${names}`);
}

const MAX_PATHS = 12;

function someOf(paths: readonly string[]): string {
  const others = paths.length - MAX_PATHS;
  return [...paths.slice(0, MAX_PATHS), ...(others > 0 ? [`${others} more`] : [])].join(', ');
}

interface FieldCounts {
  /** Number of guilds for which the file has a value. */
  values: number;
  /** Number of guilds whose value differs from the service's. */
  changes: number;
}

const MAX_EXAMPLES = 8;

const REFERENCES: readonly string[] = ['channel', 'role', 'user', 'emoji'] satisfies Mentioned[];

/** The difference between a file and the service: counts, and the first changed settings. */
export class Difference {
  readonly #counts = new Map<string, FieldCounts>();
  readonly #settings: DeclaredSettings;
  readonly examples: {
    readonly guild: string;
    readonly field: string;
    readonly from: unknown;
    readonly to: unknown;
  }[] = [];
  changed = 0;
  unchanged = 0;

  constructor(settings: DeclaredSettings) {
    this.#settings = settings;
  }

  add(guild: string, settings: FieldPatch, changes: Changes): void {
    const changed = Object.entries(changes);
    if (changed.length === 0) this.unchanged += 1;
    else this.changed += 1;
    for (const field of Object.keys(settings)) {
      const counts = this.#counts.get(field) ?? { values: 0, changes: 0 };
      counts.values += 1;
      if (field in changes) counts.changes += 1;
      this.#counts.set(field, counts);
    }
    for (const [field, { from, to }] of changed.slice(0, MAX_EXAMPLES - this.examples.length)) {
      this.examples.push({ guild, field, from, to });
    }
  }

  /** The settings with Discord ids for which the file has values. The service accepts any id. */
  get references(): readonly string[] {
    const isReference = ({ kind }: Setting) => REFERENCES.includes(kind.control);
    const references = this.#settings.all.filter(
      (one) => this.#counts.has(one.shownField) && [one, ...(one.columns ?? [])].some(isReference),
    );
    return references.map(({ shownField }) => shownField);
  }

  /** In the order of the settings. */
  get fields(): Readonly<Record<string, FieldCounts>> {
    return Object.fromEntries(
      [...this.#settings.byField.keys()].flatMap((field) => {
        const counts = this.#counts.get(field);
        return counts === undefined ? [] : [[field, counts]];
      }),
    );
  }
}
