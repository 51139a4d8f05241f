import { counted, LIMITS } from '@guild-settings/contract';
import { readTransferConfig } from '../config.ts';
import { openImporter } from '../service/importer.ts';
import { ask, confirm } from '../terminal/ask.ts';
import { showProgress } from '../terminal/progress.ts';
import type { ImportCommand } from './options.ts';
import { differenceTables, jsonReport, textReport } from './report.ts';
import { type ImportResult, runImport } from './run-import.ts';

export async function importFile(
  command: ImportCommand,
  signal: AbortSignal,
): Promise<{ readonly output: string; readonly result: ImportResult }> {
  const config = readTransferConfig();
  const { reason, onBehalfOf, json } = command;
  const note = (line: string) => process.stderr.write(`${line}\n`);
  const onWait = (seconds: number, cause: string) => note(`Waiting for ${seconds} s: ${cause}`);
  let wasShown = false;
  const result = await runImport({
    command,
    importer: await openImporter({ config, reason, onBehalfOf, signal, onWait }),
    // Below the limit: the rest of the request needs some bytes, too.
    limits: { maxGuilds: LIMITS.importGuilds, maxBytes: LIMITS.importBytes / 2 },
    signal,
    showProgress,
    async askEmptyPrefix() {
      note('Guilds of the file have an empty prefix, which in the service switches prefix commands off.');
      const answer = await ask('Keep the default prefix there, or switch prefix commands off? [default/off] ', signal);
      return answer === 'default' || answer === 'off' ? answer : 'refuse';
    },
    confirm(found) {
      wasShown = true;
      note(`${differenceTables(found)}\n${textReport(found)}`);
      return confirm(`Change ${counted(found.difference.changed, 'guild')} at ${config.apiUrl}?`, signal);
    },
  });
  if (json) return { output: jsonReport(result, command), result };
  if (result.outcome === 'declined') return { output: 'Nothing was changed.', result };
  const report = wasShown ? [] : [differenceTables(result)];
  const hint = command.mode === 'dry-run' ? ['Dry run: nothing was changed.'] : [];
  return { output: [...report, textReport(result), ...hint].join('\n'), result };
}
