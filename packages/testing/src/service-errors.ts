/** The number of errors that are kept: the first ones say what broke. */
const MAX_ERRORS = 10;

/** A line of a log with the level `error` or `fatal`. */
const ERROR = /"level":(?:50|60|"error"|"fatal")/;

let errors: string[] = [];

/** Keeps the errors among lines that a service has logged, for the report of the test that fails. */
export function keepServiceErrors(lines: string): void {
  if (errors.length >= MAX_ERRORS) return;
  const found = lines.split('\n').filter((line) => ERROR.test(line));
  errors.push(...found.slice(0, MAX_ERRORS - errors.length));
}

/** Returns the errors that services have logged since the last call. Tests that run at once have them together. */
export function takeServiceErrors(): readonly string[] {
  const taken = errors;
  errors = [];
  return taken;
}
