import { type RunnerTask, type RunnerTestCase, TestRunner, vi } from 'vitest';
import { takeServiceErrors } from './packages/testing/src/service-errors.ts';

/** A test file of the second ring, which drives browsers, several processes or outages. */
const SECOND_RING = /\.all\.test\.ts$/;

/** Runs the tests of this repository. */
export default class Runner extends TestRunner {
  override async onBeforeRunTask(task: RunnerTask): Promise<void> {
    await super.onBeforeRunTask(task);
    // Under CI such a test runs a second time where it fails. `scripts/test-report.mjs` names it, and limits their number.
    if (process.env.CI && SECOND_RING.test(task.file.filepath)) task.retry = 1;
    takeServiceErrors();
  }

  /** Adds what services logged as errors to the message of a test that failed, and lets the clock run again. */
  onTaskFinished({ result }: RunnerTestCase): void {
    const logged = takeServiceErrors();
    const error = result?.state === 'fail' ? result.errors?.at(-1) : undefined;
    if (error !== undefined && logged.length > 0) {
      const message = error.message;
      error.message = `${message}\nLogged by the services:\n${logged.join('\n')}`;
      if (error.stack !== undefined) error.stack = error.stack.replace(message, () => error.message);
    }
    // A test that stopped the clock of its file may have failed before it let it run.
    vi.useRealTimers();
  }
}
