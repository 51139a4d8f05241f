import { readFileSync, statSync } from 'node:fs';
import { isIP, isIPv6 } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { failureHint } from './failure-hint.ts';
import { urlSecrets } from './redaction.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The schema of each variable by key. An issue with a path is in the file that the variable names. */
type VariableSchemas = Readonly<Record<string, z.ZodType>>;

export interface ReadEnvironmentOptions<Variables extends VariableSchemas> {
  readonly variables: Variables;
  /**
   * Returns the issues of interdependent variables; `message` contains the expectation. Also called if some variables
   * are invalid: `values` is undefined then.
   */
  readonly check?: (env: Env, values: z.infer<z.ZodObject<Variables>> | undefined) => readonly EnvironmentIssue[];
}

export interface EnvironmentIssue {
  readonly key: string;
  /** The expectation, and the received text without the value of a secret. */
  readonly message: string;
}

/** Thrown for invalid environment variables. `issues` lists all of them; `message` has a line for each. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
  readonly issues: readonly EnvironmentIssue[];

  /** @param hint a last line with the remedy for the operator */
  constructor(issues: readonly EnvironmentIssue[], hint?: string) {
    const lines = issues.map(({ key, message }) => `  ${key}: ${message}`);
    super(['The environment is not usable:', ...lines, ...(hint === undefined ? [] : [hint])].join('\n'));
    this.issues = issues;
  }
}

/**
 * Parses environment variables, and the files of secrets that they name. An empty variable counts as absent, because
 * compose files leave variables empty. A value in quotes is refused: a shell removes them, but `docker run --env-file`
 * does not.
 * @throws EnvironmentError listing every invalid variable
 */
export function readEnvironment<Variables extends VariableSchemas>(
  env: Env,
  { variables, check }: ReadEnvironmentOptions<Variables>,
): z.infer<z.ZodObject<Variables>> {
  const files = readSecretFiles(variables, env);
  const present = Object.fromEntries(Object.entries(files.env).filter(([, value]) => value !== ''));
  const { data, error } = z.object(variables).safeParse(present, { error: expected });
  const received = (key: string) => {
    if (files.fromFiles.has(key)) return 'the hidden content of the file';
    if (present[key] === undefined) return 'nothing';
    const { isSecret, isHidden } = notesOf(variables[key]);
    return isSecret || isHidden ? 'a hidden value' : JSON.stringify(present[key]);
  };
  const withReceived = ({ key, message }: EnvironmentIssue) => ({
    key: files.fromFiles.has(key) ? fileKeyOf(key) : key,
    message: `${message}; received ${received(key)}`,
  });
  const quoted = Object.keys(variables).filter((key) => isQuoted(present[key] ?? ''));
  const first = [...files.issues, ...quoted.map((key) => withReceived({ key, message: UNQUOTED }))];
  const invalid = (error?.issues ?? []).map(({ path: [name, ...within], message }) => {
    const key = String(name);
    return within.length > 0 ? { key, message: `${pointerTo(within)}: ${message}` } : withReceived({ key, message });
  });
  const further = [...invalid, ...(check?.(present, data) ?? []).map(withReceived)];
  const issues = [...first, ...further.filter(({ key }) => first.every((one) => one.key !== key))];
  if (data !== undefined && issues.length === 0) return data;
  throw new EnvironmentError(issues);
}

function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Returns the message of an issue whose schema has none. zod's own messages have another style. */
function expected(issue: z.core.$ZodRawIssue): string {
  return issue.code === 'invalid_value' ? `expected one of ${issue.values.join(', ')}` : 'expected a value';
}

/** Notes about a variable in the metadata of its schema. Those of an inner schema apply to the schemas around it. */
interface VariableNotes {
  /**
   * True: the variable may be given as the path of a file, in the variable with the suffix `_FILE`. Its value is never
   * shown.
   */
  readonly isSecret?: boolean;
  /** True: messages omit the value although it is not a secret: a mistyped URL may contain a password. */
  readonly isHidden?: boolean;
  readonly description?: string | undefined;
}

function notesOf(schema: z.ZodType | undefined): VariableNotes {
  if (schema === undefined) return {};
  const { innerType } = schema.def as { readonly innerType?: z.ZodType };
  return { ...notesOf(innerType), ...schema.meta() };
}

const MAX_SECRET_BYTES = 65_536;
const UNQUOTED = 'expected the value without the quotes around it';

class UnusableFile extends Error {}

/**
 * Reads the secrets whose files are named by a key and `_FILE`, such as `DISCORD_BOT_TOKEN_FILE`: other processes can
 * see the environment of a process, and a container's manager shows it. An empty variable counts as absent. Issues
 * contain neither the content nor the path, which may be a secret in the wrong variable.
 * @returns the environment with the secrets, and the keys of the variables whose values are from files
 */
function readSecretFiles(variables: VariableSchemas, env: Env) {
  const values: Record<string, string | undefined> = { ...env };
  const fromFiles = new Set<string>();
  const issues: EnvironmentIssue[] = [];
  for (const key of Object.keys(variables).filter((name) => notesOf(variables[name]).isSecret)) {
    const path = env[fileKeyOf(key)];
    if (!path) continue;
    fromFiles.add(key);
    try {
      if (env[key]) throw new UnusableFile(`expected either ${key} or ${fileKeyOf(key)}; received both`);
      if (isQuoted(path)) throw new UnusableFile(`${UNQUOTED}; received a path in quotes`);
      values[key] = readSecret(path);
    } catch (error) {
      const { code = 'an error', hint = 'Check the path.' } = failureHint(error) ?? {};
      const unreadable = `expected a readable file; received ${code}. ${hint}`;
      issues.push({ key: fileKeyOf(key), message: error instanceof UnusableFile ? error.message : unreadable });
    }
  }
  return { env: values, fromFiles, issues };
}

/** Returns the key of the variable for the path of a secret's file. */
export function fileKeyOf(key: string): string {
  return `${key}_FILE`;
}

/** Returns true for a value in quotes, even if line breaks surround them. */
function isQuoted(value: string): boolean {
  return /^\s*(["'`]).*\1\s*$/s.test(value);
}

function readSecret(path: string): string {
  const stats = statSync(path);
  // Also refuses pipes and devices, which may be endless.
  if (!stats.isFile()) throw new UnusableFile('expected the path of a regular file; received another path');
  if (stats.size > MAX_SECRET_BYTES) {
    throw new UnusableFile(`expected a file of at most ${MAX_SECRET_BYTES} bytes; received one of ${stats.size}`);
  }
  const secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  if (secret === '') throw new UnusableFile('expected a file with the secret; received an empty one');
  return secret;
}

/** Returns the secrets of the environment and of the files that it names, for messages of programs that failed to start. */
export function environmentSecrets(variables: VariableSchemas, env: Env): string[] {
  const { env: values } = readSecretFiles(variables, env);
  const secrets = Object.entries(variables).flatMap(([key, schema]) => {
    const { isSecret, isHidden } = notesOf(schema);
    const value = values[key] ?? '';
    if (value.includes('://') || !isSecret) return isSecret || isHidden ? urlSecrets([value]) : [];
    // Some variables hold several secrets. A path is not a secret.
    return value.startsWith('file:') ? [] : value.split(',');
  });
  return [...secrets, values.PGPASSWORD ?? ''].filter((secret) => secret !== '');
}

export type VariableDescription = ReturnType<typeof describeVariables>[number];

/** Describes variables for operators. A variable without a default has `defaultValue` undefined. */
export function describeVariables(variables: VariableSchemas) {
  return Object.entries(variables).map(([key, schema]) => {
    const { description = '', isSecret = false } = notesOf(schema);
    const { defaultValue } = schema.def as { readonly defaultValue?: string };
    // An empty default stands for an empty list.
    const isRequired = !schema.safeParse(undefined).success;
    return { key, description, defaultValue: defaultValue || undefined, isRequired, isSecret };
  });
}

/** The name or IP address on which a program listens. Parsed without the brackets of an IPv6 address in URLs. */
export const Host = z
  .string()
  .transform((host) => /^\[(.+)\]$/.exec(host)?.[1] ?? host)
  .refine(
    (host) => isIPv6(host) || !/[[\]:/\s]/.test(host),
    'expected a host name or an IP address without a port, such as 127.0.0.1 or ::1',
  );

/** The base URL of an HTTP service, without credentials. Parsed without trailing slashes. */
export const HttpUrl = z
  .url({ protocol: /^https?$/, error: 'expected an http(s) URL', abort: true })
  .refine(
    (url) => new URL(url).username === '' && new URL(url).password === '',
    'expected a URL without a user name and password',
  )
  .transform((url) => url.replace(/\/+$/, ''))
  .meta({ isHidden: true });

/**
 * A secret in Discord's form: printable ASCII without quotes and spaces, and therefore without the scheme of a header.
 */
export const Secret = z
  .string('expected a secret of your application')
  .regex(/^(?!.*["'`])[\x21-\x7e]+$/, 'expected a secret as Discord shows it, without spaces and quotes')
  .meta({ isSecret: true });

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export const LogLevel = z.enum(LEVELS).describe(`Minimum level of log lines: ${LEVELS.join(', ')}.`);

/** Creates the schema of a decimal integer: `Number` would also parse white space as 0, and `0x10` as 16. */
export function integer({ min = 0, max }: { readonly min?: number; readonly max: number }) {
  const message = `expected an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** Returns the path of a `file:` URL, which may be relative: `file:./data/bot.db`. */
export function filePathOf(url: string): string {
  return url.slice('file:'.length).replace(/^\/\/(?=\/)/, '');
}

export type DatabaseConfig =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** The URL of the database: `file:<path>` or `postgres://...`, which contains a password. */
export const DatabaseUrl = z
  .string()
  .regex(
    /^(file:.+|postgres(ql)?:\/\/.+)/,
    'expected file:<path>, such as file:./data/guild-settings.db, or postgres://<user>:<password>@<host>/<database>',
  )
  .refine((url) => url.startsWith('file:') || URL.canParse(url), 'expected a valid postgres:// URL')
  .transform(
    (url): DatabaseConfig =>
      url.startsWith('file:') ? { kind: 'sqlite', path: filePathOf(url) } : { kind: 'postgres', url },
  )
  .meta({ isSecret: true });

/** Returns the kind and location of a database, without user and password. */
export function databaseName(database: DatabaseConfig): string {
  if (database.kind === 'sqlite') return `SQLite ${resolve(database.path)}`;
  const { host, pathname } = new URL(database.url);
  return `PostgreSQL ${host}${pathname}`;
}

/**
 * The proxies whose X-Forwarded-For is trusted: none, a number of them, or their IP addresses and networks. `true` is
 * rejected: a client could choose its own IP address, and thereby evade the limits per IP address.
 */
export const TrustProxy = z
  .string()
  .refine(
    (value) => value === 'false' || HOP_COUNT.test(value) || value.split(',').every((part) => isNetwork(part.trim())),
    'expected the number of proxies from 1 to 9, or their IP addresses and networks such as 10.0.0.0/8,::1 separated by commas',
  )
  .transform((value): false | number | string => {
    if (value === 'false') return false;
    return HOP_COUNT.test(value) ? Number(value) : value;
  })
  .describe(
    'Proxies whose X-Forwarded-For is trusted: their number, or their addresses and networks, comma-separated.',
  );

const HOP_COUNT = /^[1-9]$/;

/**
 * Returns true for an IP address or a network. A network with a prefix of zero bits is refused, because it contains
 * every address.
 */
function isNetwork(part: string): boolean {
  const [address = '', bits, ...more] = part.split('/');
  const version = isIP(address);
  if (version === 0 || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
