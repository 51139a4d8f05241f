import { LIMITS } from '@guild-settings/contract';
import { readTransferConfig } from '../config.ts';
import { createImporter } from '../service/importer.ts';
import { confirm } from '../terminal/confirm.ts';
import { showProgress } from '../terminal/progress.ts';
import type { ImportCommand } from './options.ts';
import { differenceTables, jsonReport, textReport } from './report.ts';
import { runImport } from './run-import.ts';

/** Runs an import against the service of the environment. */
export async function importFile(
  command: ImportCommand,
  signal: AbortSignal,
): Promise<{ readonly output: string; readonly rejected: number }> {
  const config = readTransferConfig();
  const { reason, onBehalfOf, json, mode } = command;
  const note = (line: string) => process.stderr.write(`${line}\n`);
  const onWait = (seconds: number, cause: string) => note(`Waiting for ${seconds} s: ${cause}`);
  const result = await runImport({
    command,
    importer: createImporter({ config, reason, onBehalfOf, signal, onWait }),
    // Below the limit: the rest of the request needs some bytes, too.
    limits: { maxGuilds: LIMITS.importGuilds, maxBytes: LIMITS.importBytes / 2 },
    signal,
    showProgress,
    confirm(found) {
      note(`${differenceTables(found)}\n${textReport(found, command)}`);
      return confirm(`Change ${found.difference.changed} guilds of ${config.apiUrl}?`, signal);
    },
  });
  const { rejected } = result;
  if (json) return { output: jsonReport(result, command), rejected };
  const tables = mode === 'ask' && result.isApplied ? [] : [differenceTables(result)];
  return { output: [...tables, textReport(result, command)].join('\n'), rejected };
}
