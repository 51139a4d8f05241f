import { parseArgs } from 'node:util';

/** What the command line of the service asks for. */
export interface ProgramOptions {
  /** Whether a new SQLite database may begin beside the traces of a lost one. */
  readonly isNewDatabaseAllowed: boolean;
}

/** The command line asks for something that the service does not have. */
export class ProgramOptionsError extends Error {
  override readonly name = 'ProgramOptionsError';
}

/**
 * Reads the arguments of the service. Everything else comes from the environment.
 * @throws ProgramOptionsError
 */
export function readProgramOptions(args: readonly string[]): ProgramOptions {
  try {
    const { values } = parseArgs({ args: [...args], options: { new: { type: 'boolean', default: false } } });
    return { isNewDatabaseAllowed: values.new };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ProgramOptionsError(`Expected no argument, or --new to begin a new database. ${reason}`);
  }
}
