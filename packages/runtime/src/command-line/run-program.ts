import { helpOf } from './help.ts';
import type { OptionShape, Values } from './option.ts';
import type { Program } from './program.ts';
import { readArguments } from './read-arguments.ts';
import { UsageError } from './usage-error.ts';

/** The output and the exit code of a program after an error. */
export interface Failure {
  /** The output for standard error: a text, or an error with its stack. */
  readonly output: unknown;
  readonly exitCode: number;
}

/** Runs a program with the arguments of this process, or prints its help. An error is explained on standard error. */
export async function runProgram<Shape extends OptionShape>(
  program: Program<Shape>,
  main: (values: Values<Shape>) => Promise<void>,
  explain: (error: unknown) => Failure = explainFailure,
): Promise<void> {
  try {
    const values = readArguments(program.options, process.argv.slice(2));
    if (values === null) console.log(helpOf(program));
    else await main(values);
  } catch (error) {
    const { output, exitCode } = explain(error);
    console.error(output);
    process.exitCode = exitCode;
  }
}

/** Explains an error by its stack and exit code 1, and wrong arguments by the message alone and exit code 2. */
export function explainFailure(error: unknown): Failure {
  if (!(error instanceof UsageError)) return { output: error, exitCode: 1 };
  return { output: `${error.message}\n--help lists the options.`, exitCode: 2 };
}
