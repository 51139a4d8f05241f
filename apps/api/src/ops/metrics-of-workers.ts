import { AggregatorRegistry, Gauge, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';

/** The metrics of one process, as plain data. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The metrics of one of several processes. */
export interface WorkerMetrics {
  /** Its number, which the process that replaces it has as well. */
  readonly worker: string;
  /** Absent: it has not sent them in time, or is being replaced. */
  readonly metrics?: ProcessMetrics;
}

/** Shares the metrics of this process with the others. Returns a function that collects those of all. */
export type ShareMetrics = (own: () => Promise<ProcessMetrics>) => () => Promise<readonly WorkerMetrics[]>;

/** Renders the metrics of several processes. Each series has the label `worker`. */
export async function renderMetricsOf(workers: readonly WorkerMetrics[]): Promise<string> {
  const labelled = workers.map(async ({ worker, metrics }) =>
    [...(metrics ?? []), ...(await workerUp(metrics !== undefined))].map((metric) => ({
      ...metric,
      // No series is of two processes: there is nothing to sum up, nor to leave out.
      aggregator: 'sum' as const,
      values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } })),
    })),
  );
  return AggregatorRegistry.aggregate(await Promise.all(labelled)).metrics();
}

/** Returns the metric that is 0 for a process whose series are missing in the response. */
function workerUp(isUp: boolean): Promise<ProcessMetrics> {
  const registry = new Registry();
  const help = 'Whether the process has sent its metrics: 1 yes; 0 no, it is suspended, too busy, or being replaced.';
  new Gauge({ name: 'guild_settings_worker_up', help, registers: [registry] }).set(isUp ? 1 : 0);
  return registry.getMetricsAsJSON();
}
