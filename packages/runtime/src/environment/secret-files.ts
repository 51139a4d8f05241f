import { readFileSync, statSync } from 'node:fs';
import type { z } from 'zod';
import { failureHint } from '../command-line/failure-hint.ts';
import type { EnvironmentIssue } from './environment-error.ts';
import { notesOf } from './variable-notes.ts';

/** Environment variables, as `process.env` has them. */
export type Env = Readonly<Record<string, string | undefined>>;

/** The largest file of a secret. */
const MAX_BYTES = 65_536;

/** The environment with the secrets of files. */
export interface EnvironmentWithFiles {
  readonly env: Env;
  /** Keys of the variables that have their values from files. */
  readonly fromFiles: ReadonlySet<string>;
  /** Files that cannot be used, by the keys that name them. */
  readonly issues: readonly EnvironmentIssue[];
}

/**
 * Reads the secrets whose files are named by a key and `_FILE`, such as `DISCORD_BOT_TOKEN_FILE`: other processes can see the
 * environment of a process, and a container's manager shows it. An empty variable counts as absent. Issues contain neither the
 * path, which may be a secret in the wrong variable, nor the content.
 */
export function readSecretFiles(variables: z.ZodRawShape, env: Env): EnvironmentWithFiles {
  const values: Record<string, string | undefined> = { ...env };
  const fromFiles = new Set<string>();
  const issues: EnvironmentIssue[] = [];
  for (const key of Object.keys(variables).filter((name) => notesOf(variables[name] as z.ZodType).isSecret)) {
    const path = env[fileKeyOf(key)];
    if (!path) continue;
    fromFiles.add(key);
    try {
      if (env[key]) throw new UnusableFile(`expected either ${key} or ${fileKeyOf(key)}; received both`);
      if (isQuoted(path)) throw new UnusableFile(`${UNQUOTED}; received a path in quotes`);
      values[key] = readSecret(path);
    } catch (error) {
      issues.push({ key: fileKeyOf(key), message: reasonOf(error) });
    }
  }
  return { env: values, fromFiles, issues };
}

/** Returns the key of the variable that names the file of a secret. */
export function fileKeyOf(key: string): string {
  return `${key}_FILE`;
}

export const UNQUOTED = 'expected the value without the quotes around it';

/** Returns true for a value in quotes, also with line ends around them. */
export function isQuoted(value: string): boolean {
  return /^\s*(["'`]).*\1\s*$/s.test(value);
}

class UnusableFile extends Error {}

function readSecret(path: string): string {
  const stats = statSync(path);
  // Also refuses pipes and devices, which may be without an end.
  if (!stats.isFile()) throw new UnusableFile('expected the path of a file; received that of something else');
  if (stats.size > MAX_BYTES)
    throw new UnusableFile(`expected a file of at most ${MAX_BYTES} bytes; received one of ${stats.size}`);
  const secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  if (secret === '') throw new UnusableFile('expected a file with the secret; received an empty one');
  return secret;
}

function reasonOf(error: unknown): string {
  if (error instanceof UnusableFile) return error.message;
  const { code = 'an error', hint = 'Check the path.' } = failureHint(error) ?? {};
  return `expected a file that can be read; received ${code}. ${hint}`;
}
