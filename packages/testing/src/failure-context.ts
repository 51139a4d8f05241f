/** Maximum errors that are kept: the first ones show what broke. */
const MAX_ERRORS = 10;

const ERROR = /"level":(?:50|60|"error"|"fatal")/;

let errors: string[] = [];
let pages: string[] = [];

/** Keeps the errors among lines that a service has logged, for the report of a failing test. */
export function keepServiceErrors(lines: string): void {
  if (errors.length >= MAX_ERRORS) return;
  const found = lines.split('\n').filter((line) => ERROR.test(line));
  errors.push(...found.slice(0, MAX_ERRORS - errors.length));
}

/** Keeps the content of a browser page at the end of a test, for the report of a failing test. */
export function keepPage(text: string): void {
  pages.push(text);
}

/** Returns what was kept since the last call. Concurrent tests share it. */
export function takeFailureContext(): string {
  const parts = [
    ...(errors.length > 0 ? [`Logged by the services:\n${errors.join('\n')}`] : []),
    ...pages.map((page) => `Shown by the page:\n${page}`),
  ];
  errors = [];
  pages = [];
  return parts.join('\n');
}
