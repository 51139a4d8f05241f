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
