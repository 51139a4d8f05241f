import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The output of Vitest's JSON reporter in the folder of a package: `vitest.config.ts`. */
const RESULTS = join('test-results', 'vitest.json');

/**
 * Patterns of failures in a log, by tool: TypeScript, Biome, Knip (a heading and the first line below it), Vitest,
 * others.
 */
const FAILURES = [
  /^.*error TS\d+.*/m,
  /^.*━━━.*/m,
  /^(?:Unused|Unlisted|Unresolved|Duplicate).*\n.*/m,
  /^No test files.*/m,
  /^.*error.*/im,
];

const MAX_LINE_CHARACTERS = 240;

/** Maximum number of tests that may pass when repeated. More of them fail the run, because that is not an accident. */
const MAX_REPEATED = 3;

/** The number of slowest test files in a report. */
const SLOWEST = 10;

/** Returns the command that runs the same tasks again, even if nothing has changed. */
const commandOf = (ran) => `npx --yes pnpm@12 ${ran.find(isTests)?.task ?? 'test'} --force`;

/**
 * Returns the last lines of a run, in the folder of the repository: each failure with its place and the first line of
 * its error, tasks replayed from turbo's cache, the slowest test files, the repeated tests, and the counts. Every
 * failure is counted: a test, a test file that cannot run, another task, or too many repeated tests.
 * @param summary output of `turbo run --summarize`: https://turborepo.com/docs/reference/run#--summarize
 */
export function reportOf({ tasks }) {
  const ran = tasks
    .filter(({ execution }) => execution !== undefined)
    .toSorted((one, other) => one.taskId.localeCompare(other.taskId));
  const packages = ran.filter(isTests).map(testsOf);
  const repeated = packages.flatMap((tests) => tests.repeated ?? []);
  const failures = [
    ...ran.filter((task) => !isTests(task) && task.execution.exitCode !== 0).map(failureOfTask),
    ...packages.flatMap((tests) => tests.failures),
    ...(repeated.length > MAX_REPEATED
      ? [`Expected at most ${MAX_REPEATED} tests that fail once, found ${repeated.length}`]
      : []),
  ];
  const sum = (count) => packages.reduce((total, tests) => total + tests[count], 0);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  return {
    lines: [
      ...listed('Failed:', failures),
      ...replayOf(ran, packages),
      ...slowestOf(packages.flatMap(({ files = [] }) => files)),
      ...listed('Failed once, and passed when repeated:', repeated),
      '',
      `${sum('passed')} passed, ${failures.length} failed${skipped}`,
    ],
    isPassed: failures.length === 0,
  };
}

/** Reads the results of a package's tests. Those of an earlier run do not count, unless turbo has replayed them. */
function testsOf(task) {
  const { taskId, directory, execution } = task;
  const file = join(directory, RESULTS);
  const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  if (results === undefined || (!isReplayed(task) && results.startTime < execution.startTime)) {
    return { passed: 0, skipped: 0, failures: [`${failureOfTask(task)} (no results)`] };
  }
  const name = taskId.split('#')[0];
  const placeOf = (path) => `${name} ${relative(directory, path)}`;
  const failures = results.testResults.flatMap((one) => failuresOfFile(placeOf(one.name), one));
  if (failures.length === 0 && execution.exitCode !== 0) failures.push(failureOfTask(task));
  if (failures.length === 0 && results.numPassedTests === 0) failures.push(`${name}: expected tests, found none`);
  return {
    passed: results.numPassedTests,
    skipped: results.numPendingTests + results.numTodoTests,
    failures,
    repeated: results.testResults.flatMap((one) => repeatedOfFile(placeOf(one.name), one)),
    files: results.testResults.map(({ name: path, startTime, endTime }) => ({
      place: placeOf(path),
      seconds: (endTime - startTime) / 1_000,
    })),
    beganAt: results.startTime,
    endedAt: Math.max(...results.testResults.map(({ endTime }) => endTime)),
  };
}

function failuresOfFile(place, { status, message, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0 && status === 'failed') return [`${place}: ${firstLine(message)}`];
  return failed.map((test) => lineOf(place, test));
}

/** Lists the tests that failed at first and passed when repeated, which keep the message of the failure. */
function repeatedOfFile(place, { assertionResults }) {
  return assertionResults
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
    .map((test) => lineOf(place, test));
}

const lineOf = (place, { ancestorTitles, title, failureMessages }) =>
  `${[place, ...ancestorTitles.filter((name) => name !== ''), title].join(' > ')}: ${firstLine(failureMessages[0])}`;

const listed = (heading, lines) =>
  lines.length > 0 ? ['', heading, ...lines.map((line) => `  ${shortened(line)}`)] : [];

/** Describes a failed task by the first failure in its log. */
function failureOfTask({ taskId, logFile, execution }) {
  const log = existsSync(logFile) ? stripVTControlCharacters(readFileSync(logFile, 'utf8')) : '';
  const [found] = FAILURES.map((pattern) => pattern.exec(log)?.[0]).filter((text) => text !== undefined);
  return `${taskId.replace('//#', '')}: ${found?.trim().replace(/\s+/g, ' ') ?? `exit code ${execution.exitCode}`}`;
}

function replayOf(ran, packages) {
  const replayed = ran.filter(isReplayed).length;
  if (replayed === 0) return [];
  if (replayed < ran.length) {
    return [
      '',
      `Replayed from turbo's cache: ${replayed} of ${ran.length} tasks. To run all of them: ${commandOf(ran)}`,
    ];
  }
  const times = [
    Math.min(...packages.map(({ beganAt }) => beganAt)),
    Math.max(...packages.map(({ endedAt }) => endedAt)),
  ].map((time) => new Date(time).toISOString().slice(0, 19).replace('T', ' '));
  return [
    '',
    `Nothing was run: turbo replayed the results of ${times.join(' to ')} UTC, since nothing has changed.`,
    `To run everything again: ${commandOf(ran)}`,
  ];
}

function slowestOf(files) {
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, SLOWEST);
  if (slowest.length === 0) return [];
  return [
    '',
    'Slowest files:',
    ...slowest.map(({ place, seconds }) => `  ${seconds.toFixed(1).padStart(5)} s  ${place}`),
  ];
}

const isTests = ({ task }) => task === 'test' || task === 'test:all';

const isReplayed = ({ cache }) => cache.status === 'HIT';

const clean = (line) => stripVTControlCharacters(line).trim();

const firstLine = (text = '') => clean(text.split('\n', 1)[0]) || 'no message';

const shortened = (line) => (line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}…` : line);
