import { ANOMALIES, type AnomalyKind, countOf } from './checker/anomalies.ts';
import type { TortureReport } from './run.ts';

const MAX_EXAMPLES = 5;

export function textReport(report: TortureReport): string {
  const { anomalies, faults, notes } = report;
  const injected = Object.values(faults).reduce((sum, times) => sum + times, 0);
  const kinds = Object.keys(ANOMALIES) as AnomalyKind[];
  const total = countOf(anomalies);
  const rows: [string, string | number][] = [
    ['store', report.store],
    ['seed', report.seed],
    ['rounds', report.rounds],
    ['seconds', report.seconds],
    ['operations', report.operations],
    [
      'acknowledged',
      `${report.acknowledged}, of which ${report.acknowledgedWrites} writes, ${report.acknowledgedErasures} of them erasures, ${report.acknowledgedSwitches} switches`,
    ],
    ['live', report.live],
    ['unknown', report.unknown],
    ['refused', report.refused],
    ['faults', injected],
    ...Object.entries(faults)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, times]): [string, number] => [`  ${name}`, times]),
    ['anomalies', total],
    ...kinds.map((kind): [string, number] => [`  ${ANOMALIES[kind]}`, anomalies[kind].length]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
  const found = kinds.flatMap((kind) =>
    anomalies[kind].slice(0, MAX_EXAMPLES).map((one) => `✗ ${ANOMALIES[kind]}: ${one}`),
  );
  const verdict =
    total === 0
      ? '✓ Every guarantee held.'
      : `✗ Guarantees were broken. To repeat: npx --yes pnpm@12 torture --store ${report.store} --rounds ${report.rounds} --seed ${report.seed}`;
  return [...table, ...notes.map((one) => `note: ${one}`), '', ...found, verdict].join('\n');
}
