export { describeMetrics, type MetricDescription } from './describe-metrics.ts';
export { processMetrics } from './process-metrics.ts';
