import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

/** The metrics of one process, as plain data. */
export type ProcessMetrics = readonly MetricObjectWithValues<MetricValue<string>>[];

/** The metrics of one of several processes. */
export interface WorkerMetrics {
  /** Its number, which the process that replaces it has as well. */
  readonly worker: string;
  readonly metrics: ProcessMetrics;
}

/** Shares the metrics of this process with the others. Returns a function that collects those of all. */
export type ShareMetrics = (own: () => Promise<ProcessMetrics>) => () => Promise<readonly WorkerMetrics[]>;

/** Renders the metrics of several processes. Each series has the label `worker`. */
export async function renderMetricsOf(workers: readonly WorkerMetrics[]): Promise<string> {
  const labelled = workers.map(({ worker, metrics }) =>
    metrics.map((metric) => ({
      ...metric,
      // No series is of two processes: there is nothing to sum up, nor to leave out.
      aggregator: 'sum' as const,
      values: metric.values.map((value) => ({ ...value, labels: { ...value.labels, worker } })),
    })),
  );
  return AggregatorRegistry.aggregate(labelled).metrics();
}
