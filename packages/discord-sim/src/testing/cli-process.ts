import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '@guild-settings/testing';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Starts the built command; it is killed at the end of the scope. */
export function startCli(...args: readonly string[]): Program {
  return startProgram({ args: [PROGRAM, ...args] });
}
