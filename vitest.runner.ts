import { type RunnerTask, type RunnerTestCase, TestRunner, vi } from 'vitest';
import { takeFailureContext } from './packages/testing/src/failure-context.ts';

/** A test file of the second ring, which drives browsers, several processes or outages. */
const SECOND_RING = /\.all\.test\.ts$/;

/** Runs the tests of this repository. */
export default class Runner extends TestRunner {
  override async onBeforeRunTask(task: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(task);
    // Under CI such a test is repeated if it fails. `scripts/test-report.mjs` lists it, and limits their number.
    if (process.env.CI && SECOND_RING.test(task.file.filepath)) task.retry = 1;
    takeFailureContext();
  }

  /**
   * Adds the logs of services and the content of pages to the message of a failed test, and restores the real timers.
   */
  onTaskFinished({ result }: RunnerTestCase): void {
    const context = takeFailureContext();
    const error = result?.state === 'fail' ? result.errors?.at(-1) : undefined;
    if (error !== undefined) {
      // The end of a scope may fail because the test has failed: the first error contains the reason.
      if (error.suppressed !== undefined) Object.assign(error, error.suppressed);
      const { message } = error;
      error.message = context === '' ? message : `${message}\n${context}`;
      if (error.stack !== undefined) error.stack = error.stack.replace(message, () => error.message);
    }
    // A failed test may have left the clock of its file stopped.
    vi.useRealTimers();
  }
}
