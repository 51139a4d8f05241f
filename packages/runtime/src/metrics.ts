import { statSync } from 'node:fs';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

let ofProcess: Registry | undefined;

/**
 * Returns the metrics of the process, which all of its servers share: their collectors observe the event loop and the
 * garbage collection until the process ends.
 */
export function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** The gauge of the last backup, which each program has of its own file. */
export const LAST_BACKUP = {
  name: 'guild_settings_backup_timestamp_seconds',
  help: 'Time of the last backup of the SQLite file by backup.sh, in seconds since 1970; 0: there was none.',
} as const;

/** Returns the value of the gauge: the script marks a backup by a file beside the database. */
export function lastBackupSeconds(databasePath: string): number {
  return (statSync(`${databasePath}-backup`, { throwIfNoEntry: false })?.mtimeMs ?? 0) / 1_000;
}

export interface MetricDescription {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
}

export function describeMetrics(registry: Registry): MetricDescription[] {
  return registry.getMetricsAsArray().map((metric) => {
    const type = metric instanceof Counter ? 'counter' : metric instanceof Gauge ? 'gauge' : 'histogram';
    // The type of the library lacks the labels.
    const { labelNames = [] } = metric as { readonly labelNames?: readonly string[] };
    return { name: metric.name, type, labels: labelNames, help: metric.help };
  });
}
