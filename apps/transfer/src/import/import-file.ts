import { counted, LIMITS } from '@guild-settings/contract';
import Table from 'cli-table3';
import { readTransferConfig } from '../config.ts';
import { shown } from '../mapping/conversion-error.ts';
import { ask, confirm, printable, showProgress } from '../terminal.ts';
import { openImporter } from './importer.ts';
import type { ImportCommand } from './options.ts';
import { type ImportResult, runImport } from './run-import.ts';

export async function importFile(command: ImportCommand, signal: AbortSignal) {
  const config = readTransferConfig();
  const { reason, onBehalfOf, json } = command;
  const note = (line: string) => process.stderr.write(`${line}\n`);
  const onWait = (seconds: number, cause: string) => note(`Waiting for ${seconds} s: ${cause}`);
  let wasShown = false;
  const result = await runImport({
    command,
    importer: await openImporter({ config, reason, onBehalfOf, signal, onWait }),
    // Below the limit, because the rest of the request also needs some bytes.
    limits: { maxGuilds: LIMITS.importGuilds, maxBytes: LIMITS.importBytes / 2 },
    signal,
    showProgress,
    async askEmptyPrefix() {
      note('Some guilds of the file have an empty prefix, which switches prefix commands off in the service.');
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

/** Maximum characters of a value in a table. */
const MAX_SHOWN = 40;

function differenceTables({ difference }: ImportResult): string {
  const counts = table(
    ['setting', 'in the file', 'different'],
    Object.entries(difference.fields).map(([field, { values, changes }]) => [field, count(values), count(changes)]),
    ['left', 'right', 'right'],
  );
  const { examples } = difference;
  if (examples.length === 0) return counts;
  const first = table(
    ['guild', 'setting', 'from', 'to'],
    examples.map(({ guild, field, from, to }) => [guild, field, shown(from, MAX_SHOWN), shown(to, MAX_SHOWN)]),
  );
  return `${counts}\n\nThe first changes\n${first}`;
}

function table(head: string[], rows: string[][], colAligns: ('left' | 'right')[] = []): string {
  const formatted = new Table({ head, colAligns, style: { head: [], border: [], compact: true } });
  formatted.push(...rows);
  return formatted.toString();
}

function textReport(result: ImportResult): string {
  const { rows, others, firstOthers, unmapped, guilds, difference, rejected, outcome } = result;
  const { changed, unchanged, references } = difference;
  const unchecked = `Not checked in Discord: whether channels, roles, members and emoji exist (${references.join(', ')})`;
  return [
    `Rows: ${count(rows)}, guilds: ${count(guilds)}`,
    ...(others > 0 ? [`Rows without a setting to import: ${count(others)}, such as ${firstOthers.join(', ')}`] : []),
    ...(unmapped.isEmpty ? [] : [`Not imported: ${unmapped}`]),
    ...rejectedLines(rejected),
    ...(references.length === 0 ? [] : [unchecked]),
    `Guilds that ${outcome === 'applied' ? 'were changed' : 'would change'}: ${count(changed)}, already as in the file: ${count(unchanged)}`,
  ].join('\n');
}

function rejectedLines({ rows, values, first, file }: ImportResult['rejected']): string[] {
  const all = rows + values;
  if (all === 0) return [];
  const what = [...(rows > 0 ? [counted(rows, 'row')] : []), ...(values > 0 ? [counted(values, 'value')] : [])];
  const where = file === undefined ? '--rejects FILE lists them' : `listed in ${file}`;
  const hint = values > 0 ? '; --value FIELD:FROM=TO replaces values' : '';
  return [
    `Rejected: ${what.join(' and ')} (${where}${hint})`,
    ...first.map(({ place, guild, reason }) => {
      // The key of the row contains the guild.
      const isNamed = guild === undefined || place.includes(guild);
      return printable(`  ${isNamed ? place : `${place}, guild ${guild}`}: ${reason}`);
    }),
    ...(all > first.length ? [`  and ${count(all - first.length)} more`] : []),
  ];
}

function jsonReport(result: ImportResult, { source }: ImportCommand): string {
  const { rows, others, unmapped, guilds, difference, rejected, outcome } = result;
  const { changed, unchanged, fields, examples } = difference;
  return JSON.stringify({
    from: source,
    outcome,
    rows,
    otherRows: others,
    unmapped: Object.fromEntries(unmapped.sorted),
    unmappedOthers: unmapped.others,
    guilds,
    changed,
    unchanged,
    rejected: rejected.rows,
    rejectedValues: rejected.values,
    firstRejected: rejected.first,
    rejects: rejected.file ?? null,
    notCheckedInDiscord: difference.references,
    fields,
    examples,
  });
}

const count = (number: number) => number.toLocaleString('en');
