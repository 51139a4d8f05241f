import Table from 'cli-table3';
import { shown } from '../mapping/conversion-error.ts';
import { printable } from '../terminal/printable.ts';
import type { Difference } from './difference.ts';
import type { ImportCommand } from './options.ts';
import type { ImportResult, RejectedCounts } from './run-import.ts';

/** Characters of a value in a table. */
const MAX_SHOWN = 40;

export function differenceTables({ difference }: ImportResult): string {
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

export function textReport(result: ImportResult): string {
  const { rows, others, firstOthers, unmapped, guilds, difference, rejected, outcome } = result;
  const { changed, unchanged } = difference;
  return [
    `Rows: ${count(rows)}, guilds: ${count(guilds)}`,
    ...(others > 0 ? [`Rows without a setting to import: ${count(others)}, such as ${firstOthers.join(', ')}`] : []),
    ...(unmapped.isEmpty ? [] : [`Not imported: ${unmapped}`]),
    ...rejectedLines(rejected),
    ...uncheckedLines(difference),
    `Guilds that ${outcome === 'applied' ? 'were changed' : 'differ'}: ${count(changed)}, that have these settings already: ${count(unchanged)}`,
  ].join('\n');
}

function uncheckedLines({ references }: Difference): string[] {
  if (references.length === 0) return [];
  return [
    `Not checked in Discord: whether the channels and roles are there, and of which type (${references.join(', ')})`,
  ];
}

function rejectedLines({ rows, values, first, file }: RejectedCounts): string[] {
  const all = rows + values;
  if (all === 0) return [];
  const where = file === undefined ? '--rejects FILE writes all of them' : `all with their reasons in ${file}`;
  return [
    `Rows that could not be taken: ${count(rows)}, values of other rows: ${count(values)} (${where})`,
    ...first.map(({ place, guild, reason }) => {
      return printable(`  ${guild === undefined ? place : `${place}, guild ${guild}`}: ${reason}`);
    }),
    ...(all > first.length ? [`  and ${count(all - first.length)} more`] : []),
  ];
}

export function jsonReport(result: ImportResult, { source }: ImportCommand): string {
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
