import type { Authenticator, CheckOutcome } from './authenticator.ts';
import type { CurrentAuthorization } from './discord-shapes.ts';
import type { AuthenticatedToken } from './token-check.ts';

/** A call of the authenticator of the first process by a worker: the arguments of its methods as plain data. */
export type CheckQuestion =
  | { readonly of: 'authenticate'; readonly token: string; readonly clientIp: string; readonly allowStale: boolean }
  | { readonly of: 'checkAgain'; readonly token: string; readonly clientIp: string; readonly checkedAtMs: number };

/** The name and icon of the application, as Discord states them with each check. */
export type StatedApplication = CurrentAuthorization['application'];

/** One of several processes checks the tokens for all, so that Discord receives one request, and all have the same result. */
export type SharedChecks = ChecksOfFirst | ChecksOfOther;

/** In the process that checks tokens. */
interface ChecksOfFirst {
  readonly isFirst: true;
  /** Takes what answers the questions of the other processes. */
  serve(authenticator: Authenticator): void;
  /** Sends the outcome of a check to the other processes. */
  sendOutcome(outcome: CheckOutcome): void;
  /** Sends what Discord states about the application to the other processes. */
  sendApplication(application: StatedApplication): void;
}

/** In every other process. */
interface ChecksOfOther {
  readonly isFirst: false;
  /** Returns the result of the first process's authenticator, or throws its ProblemError. */
  ask(question: CheckQuestion): Promise<AuthenticatedToken | undefined>;
  /** Takes what receives the outcomes of all checks, and what is stated about the application. */
  listen(receivers: CheckReceivers): void;
}

/** Receives what the first process sends. */
export interface CheckReceivers {
  readonly onOutcome: (outcome: CheckOutcome) => void;
  readonly onApplication: (application: StatedApplication) => void;
}
