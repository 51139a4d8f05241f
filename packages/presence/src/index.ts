export {
  type PresenceReporter,
  type ReportIntervals,
  type ReportPresenceOptions,
  reportPresence,
} from './report-presence.ts';
