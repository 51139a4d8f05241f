import { z } from 'zod';
import { EnvironmentError, type EnvironmentIssue } from './environment-error.ts';

/** Environment variables, as `process.env` has them. */
type Env = Readonly<Record<string, string | undefined>>;

export interface ReadEnvironmentOptions<Variables extends z.ZodRawShape> {
  /** The schema of each variable, by its key. */
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
  const invalid = (error?.issues ?? []).map(({ path, message }) => ({ key: String(path[0]), message }));
  const issues = [...invalid, ...(check?.(present, data) ?? [])];
  if (data !== undefined && issues.length === 0) return data;
  const received = (key: string) => {
    if (present[key] === undefined) return 'nothing';
    return secretKeys.includes(key) ? 'a value not shown' : JSON.stringify(present[key]);
  };
  throw new EnvironmentError(
    issues.map(({ key, message }) => ({ key, message: `${message}; received ${received(key)}` })),
  );
}
