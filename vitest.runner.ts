import { type RunnerTask, type RunnerTestCase, TestRunner, vi } from 'vitest';
import { takeFailureContext } from './packages/testing/src/failure-context.ts';

/** A test file of the second ring, which drives browsers, several processes or outages. */
const SECOND_RING = /\.all\.test\.ts$/;

/** Runs the tests of this repository. */
export default class Runner extends TestRunner {
  override async onBeforeRunTask(task: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(task);
    // Under CI such a test runs a second time where it fails. `scripts/test-report.mjs` names it, and limits their number.
    if (process.env.CI && SECOND_RING.test(task.file.filepath)) task.retry = 1;
    takeFailureContext();
  }

  /** Adds what services logged, and what pages showed, to the message of a test that failed, and lets the clock run again. */
  onTaskFinished({ result }: RunnerTestCase): void {
    const context = takeFailureContext();
    const error = result?.state === 'fail' ? result.errors?.at(-1) : undefined;
    if (error !== undefined) {
      // The end of a scope may fail because the test has: the first error says why.
      if (error.suppressed !== undefined) Object.assign(error, error.suppressed);
      const { message } = error;
      error.message = context === '' ? message : `${message}\n${context}`;
      if (error.stack !== undefined) error.stack = error.stack.replace(message, () => error.message);
    }
    // A test that stopped the clock of its file may have failed before it let it run.
    vi.useRealTimers();
  }
}
