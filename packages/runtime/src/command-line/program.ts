import type { OptionShape } from './option.ts';

/** A command-line program, as its help describes it. */
export interface Program<Shape extends OptionShape> {
  /** What the program does. */
  readonly summary: string;
  /** Examples of calls, a line each. */
  readonly usage: readonly string[];
  readonly options: Shape;
  /** What the help says after the options. */
  readonly notes?: string;
}
