import { flag, optional, runProgram, stopSignal, text, UsageError } from '@guild-settings/runtime/command-line';
import { callerPath, ENVIRONMENT_NOTES } from '../config.ts';
import { explainTransferFailure } from '../explain-failure.ts';

const PROGRAM = {
  summary: `Exports the settings of guilds as lines of JSON, which import takes: --from ndjson:FILE.

Each line is the export document of a guild, as GET /guilds/{guild}/export returns it, at one moment for each guild.`,
  usage: ['npx --yes pnpm@12 export --all --to guilds.ndjson'],
  options: {
    all: flag('all guilds that the service knows'),
    to: optional(text('FILE'), 'the file to write, which must not exist yet; standard output unless given'),
    json: flag('print the result as one line of JSON; with --to'),
  },
  notes: `${ENVIRONMENT_NOTES}

Exit codes: 0 everything was exported, 1 failure, 2 wrong arguments, 130 and 143 interrupted.`,
};

await runProgram(
  PROGRAM,
  async ({ all, to, json }) => {
    if (!all) throw new UsageError('Expected --all, which is missing. GET /guilds/{guild}/export exports one guild.');
    if (json && to === undefined) throw new UsageError('Expected --to with --json: standard output is for the guilds.');
    const stop = stopSignal({ timeoutMs: 9_000 });
    const { exportAll } = await import('./export-all.ts');
    const output = await exportAll({ to: to === undefined ? undefined : callerPath(to), json }, stop);
    if (to !== undefined) console.log(output);
  },
  explainTransferFailure,
);
