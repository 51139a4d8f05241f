import { flag, optional, type Program, text, UsageError, type Values } from '@guild-settings/runtime/command-line';
import { callerPath, ENVIRONMENT_NOTES } from '../config.ts';

const OPTIONS = {
  all: flag('all guilds that the service knows'),
  to: optional(text('FILE'), 'the file to write, which must not exist yet; standard output unless given'),
  json: flag('print the result as one line of JSON; with --to'),
};

export const PROGRAM = {
  summary: `Exports the settings of guilds as lines of JSON, which import takes: --from ndjson:FILE.

Each line is the export document of a guild, as GET /guilds/{guild}/export returns it, at one moment for each guild.`,
  usage: ['npx --yes pnpm@12 export --all --to guilds.ndjson'],
  options: OPTIONS,
  notes: `${ENVIRONMENT_NOTES}

Exit codes: 0 everything was exported, 1 failure, 2 wrong arguments, 130 and 143 interrupted.`,
} satisfies Program<typeof OPTIONS>;

export interface ExportCommand {
  /** Undefined: standard output. */
  readonly to: string | undefined;
  readonly json: boolean;
}

export function commandOf({ all, to, json }: Values<typeof OPTIONS>): ExportCommand {
  if (!all) throw new UsageError('Expected --all, which is missing. GET /guilds/{guild}/export exports one guild.');
  if (json && to === undefined) throw new UsageError('Expected --to with --json: standard output is for the guilds.');
  return { to: to === undefined ? undefined : callerPath(to), json };
}
