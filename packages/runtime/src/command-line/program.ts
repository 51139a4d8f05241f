import type { OptionShape } from './option.ts';

/** A command-line program, as its help describes it. */
export interface Program<Shape extends OptionShape> {
  /** The purpose of the program. */
  readonly summary: string;
  readonly usage: readonly string[];
  readonly options: Shape;
  /** The text of the help after the options. */
  readonly notes?: string;
}
