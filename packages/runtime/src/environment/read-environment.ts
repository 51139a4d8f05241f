import { z } from 'zod';
import { EnvironmentError, type EnvironmentIssue } from './environment-error.ts';

/** Environment variables, as `process.env` has them. */
type Env = Readonly<Record<string, string | undefined>>;

export interface ReadEnvironmentOptions<Variables extends z.ZodRawShape> {
  /** The schema of each variable, by its key. An issue with a path is one within the file that the variable names. */
  readonly variables: Variables;
  /** Keys of variables whose values are not shown in issues. */
  readonly secretKeys: readonly string[];
  /**
   * Returns the issues of variables that depend on each other; `message` says what was expected. Runs also where some
   * variables are unusable by themselves: `values` is undefined then.
   */
  readonly check?: (env: Env, values: z.infer<z.ZodObject<Variables>> | undefined) => readonly EnvironmentIssue[];
}

/**
 * Parses environment variables. An empty variable counts as absent, because compose files leave variables empty.
 * @throws EnvironmentError listing every unusable variable
 */
export function readEnvironment<Variables extends z.ZodRawShape>(
  env: Env,
  { variables, secretKeys, check }: ReadEnvironmentOptions<Variables>,
): z.infer<z.ZodObject<Variables>> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { data, error } = z.object(variables).safeParse(present);
  const received = (key: string) => {
    if (present[key] === undefined) return 'nothing';
    return secretKeys.includes(key) ? 'a value not shown' : JSON.stringify(present[key]);
  };
  const withReceived = ({ key, message }: EnvironmentIssue) => ({
    key,
    message: `${message}; received ${received(key)}`,
  });
  const invalid = (error?.issues ?? []).map(({ path: [key, ...within], message }) =>
    within.length === 0
      ? withReceived({ key: String(key), message })
      : { key: String(key), message: `${pointerTo(within)}: ${message}` },
  );
  const issues = [...invalid, ...(check?.(present, data) ?? []).map(withReceived)];
  if (data !== undefined && issues.length === 0) return data;
  throw new EnvironmentError(issues);
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
