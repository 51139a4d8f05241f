import { explainFailure, type Failure } from '@guild-settings/runtime/command-line';

/** Names of errors whose message is all that the caller needs. */
const EXPECTED = [
  'ChangedKindError',
  'DamagedFileError',
  'EarlierDatabaseError',
  'EnvironmentError',
  'FileInUseError',
  'LoginRefusedError',
  'NotificationsLostError',
  'PageNotBuiltError',
  'PortTakenError',
  'StoreUnavailableError',
];

/** Explains why the sandbox has not started. */
export function explainStart(error: unknown): Failure {
  return error instanceof Error && EXPECTED.includes(error.name)
    ? { output: error.message, exitCode: 1 }
    : explainFailure(error);
}
