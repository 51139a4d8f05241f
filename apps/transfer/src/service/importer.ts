import {
  createGuildSettingsClient,
  type GuildSettingsClient,
  problemSlugOf,
  withRequest,
} from '@guild-settings/client';
import {
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
import { persist, TemporarilyRefusedError } from './persist.ts';

export type Changes = Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>;

/**
 * The effect of an import on a guild: the changed fields, none where it has the settings already; or the reason of a
 * refusal.
 */
export type GuildOutcome =
  | { readonly guild: string; readonly changes: Changes; readonly skipped?: readonly SkippedField[] | undefined }
  | { readonly guild: string; readonly problem: string };

export interface GuildRow {
  readonly guild: string;
  readonly settings: FieldPatch;
}

export interface Importer {
  readonly declared: DeclaredSettings;
  /**
   * Returns what became of each guild, in their order.
   * @param dryRun changes nothing, and returns what would become of it
   */
  send(guilds: readonly GuildRow[], dryRun: boolean): Promise<GuildOutcome[]>;
}

export interface ImporterOptions {
  readonly config: TransferConfig;
  readonly reason: string | undefined;
  readonly onBehalfOf: string | undefined;
  readonly signal: AbortSignal;
  readonly onWait: (seconds: number, reason: string) => void;
}

/** Some hundred guilds take a fraction of a second, unless the machine is busy. */
const TIMEOUT_MS = 60_000;

/** The status of a guild that may be taken later. */
const UNAVAILABLE = 503;

/** Creates an importer into the service of the configuration, whose settings it reads. */
export async function openImporter({ config, reason, onBehalfOf, signal, onWait }: ImporterOptions): Promise<Importer> {
  const client = createGuildSettingsClient({ url: config.apiUrl, token: config.token, timeoutMs: TIMEOUT_MS });
  const options = withRequest({ auditReason: reason, onBehalfOf, signal });
  const declared = await persist(() => readSettings(client, signal), { signal, onWait });
  return {
    declared,
    async send(guilds, dryRun) {
      const outcomes = new Map<string, GuildOutcome>();
      const sendRest = async () => {
        const rest = guilds.filter(({ guild }) => !outcomes.has(guild));
        const rows = rest.map(({ guild, settings }): ImportRow => ({ guild, settings: nested(settings, declared) }));
        const sent = await client.guilds.importMany.mutate({ guilds: rows, dry_run: dryRun }, options);
        for (const [index, { guild }] of rest.entries()) {
          const outcome = sent.guilds[index];
          if (outcome?.guild !== guild) throw new Error(`Expected the outcome of guild ${guild}, received another one`);
          if ('changes' in outcome) outcomes.set(guild, outcome);
          else if (outcome.problem.status !== UNAVAILABLE)
            outcomes.set(guild, { guild, problem: reasonOf(outcome.problem) });
        }
        if (outcomes.size < guilds.length) throw new TemporarilyRefusedError(guilds.length - outcomes.size);
      };
      await persist(sendRest, { signal, onWait });
      return guilds.flatMap(({ guild }) => outcomes.get(guild) ?? []);
    },
  };
}

/** Reads which settings the service has: those of the specification, if it is of a version that declares none. */
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
  const given = all.filter(({ field }) => settings[field] !== undefined);
  return patchOf(given.map((setting) => [setting, settings[setting.field] as SettingValue]));
}

interface RowProblem {
  readonly detail: string;
  readonly issues?: readonly { readonly pointer: string; readonly message: string }[] | undefined;
}

function reasonOf({ detail, issues = [] }: RowProblem): string {
  return [detail, ...issues.map(({ pointer, message }) => `${pointer}: ${message}`)].join(' ');
}
