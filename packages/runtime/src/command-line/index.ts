export { failureHint } from './failure-hint.ts';
export { listenRemedy } from './listen-remedy.ts';
export {
  flag,
  type Option,
  type OptionShape,
  operand,
  optional,
  repeatable,
  required,
  type Values,
  withDefault,
} from './option.ts';
export type { Program } from './program.ts';
export { readArguments } from './read-arguments.ts';
export { explainFailure, type Failure, runProgram } from './run-program.ts';
export { type StopOptions, StoppedBySignal, stopSignal } from './stop-signal.ts';
export { UsageError } from './usage-error.ts';
export { choice, integer, text, type ValueType } from './value-type.ts';
