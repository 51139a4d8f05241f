import { setTimeout as delay } from 'node:timers/promises';
import {
  createGuildSettingsClient,
  DeadlineError,
  type GuildSettingsClient,
  isGuildSettingsError,
  NetworkError,
  problemOf,
  problemSlugOf,
  TokenError,
  UnexpectedResponseError,
  withRequest,
} from '@guild-settings/client';
import {
  counted,
  DeclaredSettings,
  type FieldPatch,
  type ImportRow,
  patchOf,
  readDeclaration,
  type SettingValue,
  type SkippedField,
  SPECIFIED_SETTINGS,
} from '@guild-settings/contract';
import type { TransferConfig } from '../config.ts';
import { explain } from '../explain-failure.ts';
import type { StagedGuild } from './staging.ts';

export type Changes = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;

/**
 * The effect of an import on a guild: the changed fields, none if it already has the settings; or the reason of a
 * refusal.
 */
type GuildOutcome =
  | { readonly guild: string; readonly changes: Changes; readonly skipped?: readonly SkippedField[] | undefined }
  | { readonly guild: string; readonly problem: string };

export type Importer = Awaited<ReturnType<typeof openImporter>>;

interface Waits {
  readonly signal: AbortSignal;
  /** Called before each wait for an unavailable service. */
  readonly onWait: (seconds: number, reason: string) => void;
  /** Milliseconds until a call ends that has not reached the service or Discord; as many repetitions as others unless given. */
  readonly unreachedMs?: number;
}

interface ImporterOptions extends Waits {
  readonly config: TransferConfig;
  readonly reason: string | undefined;
  readonly onBehalfOf: string | undefined;
}

/** Some hundred guilds take a fraction of a second, unless the machine is busy. */
const TIMEOUT_MS = 60_000;

/** The status of a guild that may be accepted later. */
const UNAVAILABLE = 503;

/** Creates an importer into the configured service, and reads the service's settings. */
export async function openImporter({ config, reason, onBehalfOf, signal, onWait }: ImporterOptions) {
  // Calls are repeated here, with a line for each wait.
  const client = createGuildSettingsClient({
    url: config.apiUrl,
    token: config.token,
    timeoutMs: TIMEOUT_MS,
    retries: 0,
  });
  const options = withRequest({ auditReason: reason, onBehalfOf, signal });
  const declared = await persist(() => readSettings(client, signal), {
    signal,
    onWait,
    unreachedMs: UNREACHED_MS,
  });
  return {
    declared,
    /**
     * Returns the outcome of each guild, in order.
     * @param dryRun true: changes nothing, and returns what would happen
     */
    async send(guilds: readonly Pick<StagedGuild, 'guild' | 'settings'>[], dryRun: boolean): Promise<GuildOutcome[]> {
      const outcomes = new Map<string, GuildOutcome>();
      const sendRest = async () => {
        const rest = guilds.filter(({ guild }) => !outcomes.has(guild));
        const rows = rest.map(({ guild, settings }): ImportRow => ({ guild, settings: nested(settings, declared) }));
        const sent = await client.guilds.importMany.mutate({ guilds: rows, dry_run: dryRun }, options);
        for (const [index, { guild }] of rest.entries()) {
          const outcome = sent.guilds[index];
          if (outcome?.guild !== guild) throw new Error(`Expected the outcome of guild ${guild}, received another one`);
          if ('changes' in outcome) outcomes.set(guild, outcome);
          else if (outcome.problem.status !== UNAVAILABLE) {
            const { detail, issues = [] } = outcome.problem;
            const problem = [detail, ...issues.map(({ pointer, message }) => `${pointer}: ${message}`)].join(' ');
            outcomes.set(guild, { guild, problem });
          }
        }
        if (outcomes.size < guilds.length) throw new TemporarilyRefusedError(guilds.length - outcomes.size);
      };
      await persist(sendRest, { signal, onWait });
      return guilds.flatMap(({ guild }) => outcomes.get(guild) ?? []);
    },
  };
}

/** Reads the settings of the service; for a version without declarations, those of the specification. */
async function readSettings({ settings }: GuildSettingsClient, signal: AbortSignal): Promise<DeclaredSettings> {
  try {
    const served = await settings.get.query(undefined, { signal });
    const { declaration } = readDeclaration({ declaration: served });
    return served.tag === null ? SPECIFIED_SETTINGS : new DeclaredSettings(declaration, served.tag);
  } catch (error) {
    if (problemSlugOf(error) === 'not-found') return SPECIFIED_SETTINGS;
    throw error;
  }
}

function nested(settings: FieldPatch, { all }: DeclaredSettings): ImportRow['settings'] {
  const given = all.filter(({ shownField }) => settings[shownField] !== undefined);
  return patchOf(given.map((setting) => [setting, settings[setting.shownField] as SettingValue]));
}

const MAX_REPETITIONS = 12;

/** Time for a service to start, before anything is sent: an address that is wrong does not become right. */
const UNREACHED_MS = 15_000;

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;

/** Temporary problems. Importing the same settings again has no effect, so an unknown outcome is one of them. */
const TEMPORARY = ['rate-limited', 'discord-unavailable', 'store-unavailable', 'write-unconfirmed'];

/** Thrown when the service has refused some guilds of a call for a temporary reason. */
class TemporarilyRefusedError extends Error {
  override readonly name = 'TemporarilyRefusedError';

  constructor(guilds: number) {
    super(`The store of the service is unavailable: ${counted(guilds, 'guild')} could not be imported.`);
  }
}

/**
 * Repeats an idempotent call while it fails for temporary reasons: after the time that the service requests, or after
 * growing waits.
 * @throws the last error, or the reason of the signal
 */
async function persist<Result>(
  call: () => Promise<Result>,
  { signal, onWait, unreachedMs = Number.POSITIVE_INFINITY }: Waits,
): Promise<Result> {
  const startedAt = performance.now();
  for (let failures = 0; ; failures++) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (error) {
      // The client throws its own error for an aborted call.
      signal.throwIfAborted();
      if (failures === MAX_REPETITIONS || !isTemporary(error)) throw error;
      const leftMs = isUnreached(error) ? unreachedMs - (performance.now() - startedAt) : Number.POSITIVE_INFINITY;
      if (leftMs <= 0) throw error;
      const nextMs = Math.max(requestedMs(error), Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures));
      const waitMs = Math.min(nextMs, leftMs);
      onWait(Math.ceil(waitMs / 1_000), explain(error));
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof TemporarilyRefusedError) return true;
  const slug = problemSlugOf(error);
  if (slug !== undefined) return TEMPORARY.includes(slug);
  if (!isGuildSettingsError(error)) return false;
  const { cause } = error;
  if (cause instanceof TokenError) return cause.fault === 'unavailable';
  if (cause instanceof UnexpectedResponseError) return [429, 502, 503, 504].includes(cause.status);
  return cause instanceof NetworkError || cause instanceof DeadlineError;
}

function isUnreached(error: unknown): boolean {
  const cause = isGuildSettingsError(error) ? error.cause : undefined;
  return cause instanceof NetworkError || (cause instanceof TokenError && cause.status === undefined);
}

function requestedMs(error: unknown): number {
  const cause = isGuildSettingsError(error) ? error.cause : undefined;
  const requested =
    cause instanceof TokenError || cause instanceof UnexpectedResponseError ? cause.retryAfter : undefined;
  return (problemOf(error)?.retryAfter ?? requested ?? 0) * 1_000;
}
