import { z } from 'zod';
import { EnvironmentError, type EnvironmentIssue } from './environment-error.ts';
import { type Env, fileKeyOf, isQuoted, readSecretFiles, UNQUOTED } from './secret-files.ts';
import { notesOf } from './variable-notes.ts';

export interface ReadEnvironmentOptions<Variables extends z.ZodRawShape> {
  /** The schema of each variable, by its key. An issue with a path is one within the file that the variable names. */
  readonly variables: Variables;
  /**
   * Returns the issues of variables that depend on each other; `message` says what was expected. Runs also where some
   * variables are unusable by themselves: `values` is undefined then.
   */
  readonly check?: (env: Env, values: z.infer<z.ZodObject<Variables>> | undefined) => readonly EnvironmentIssue[];
}

/**
 * Parses environment variables, and the files of secrets that they name. An empty variable counts as absent, because compose
 * files leave variables empty. A value in quotes is refused: a shell removes them, and `docker run --env-file` does not.
 * @throws EnvironmentError listing every unusable variable
 */
export function readEnvironment<Variables extends z.ZodRawShape>(
  env: Env,
  { variables, check }: ReadEnvironmentOptions<Variables>,
): z.infer<z.ZodObject<Variables>> {
  const files = readSecretFiles(variables, env);
  const present = Object.fromEntries(Object.entries(files.env).filter(([, value]) => value !== ''));
  const { data, error } = z.object(variables).safeParse(present, { error: expected });
  const received = (key: string) => {
    if (files.fromFiles.has(key)) return 'the content of the file, not shown';
    if (present[key] === undefined) return 'nothing';
    const { isSecret, isHidden } = notesOf(variables[key] as z.ZodType);
    return isSecret || isHidden ? 'a value not shown' : JSON.stringify(present[key]);
  };
  const withReceived = ({ key, message }: EnvironmentIssue) => ({
    key: files.fromFiles.has(key) ? fileKeyOf(key) : key,
    message: `${message}; received ${received(key)}`,
  });
  const invalid = (error?.issues ?? []).map(({ path: [key, ...within], message }) =>
    within.length === 0
      ? withReceived({ key: String(key), message })
      : { key: String(key), message: `${pointerTo(within)}: ${message}` },
  );
  const quoted = Object.keys(variables).filter((key) => isQuoted(present[key] ?? ''));
  const first = [...files.issues, ...quoted.map((key) => withReceived({ key, message: UNQUOTED }))];
  const reported = new Set(first.map(({ key }) => key));
  const issues = [
    ...first,
    ...[...invalid, ...(check?.(present, data) ?? []).map(withReceived)].filter(({ key }) => !reported.has(key)),
  ];
  if (data !== undefined && issues.length === 0) return data;
  throw new EnvironmentError(issues);
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Returns the message of an issue whose schema has none. zod's own messages are of another voice. */
function expected(issue: z.core.$ZodRawIssue): string {
  return issue.code === 'invalid_value' ? `expected one of ${issue.values.join(', ')}` : 'expected a value';
}
