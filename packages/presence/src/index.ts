export type { PresenceReporter, ReportIntervals } from './presence-reporter.ts';
export { type ReportPresenceOptions, reportPresence } from './report-presence.ts';
