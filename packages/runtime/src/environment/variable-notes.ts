import type { z } from 'zod';

/** Notes on a variable, which the metadata of its schema has. Those of an inner schema hold for the schemas around it. */
export interface VariableNotes {
  /** True: the variable may be given as the path of a file, by its key and `_FILE`. Its value is never shown. */
  readonly isSecret?: boolean;
  /** True: messages leave the value out although it is no secret: a mistyped URL may hold a password. */
  readonly isHidden?: boolean;
  /** The meaning, for operators. */
  readonly description?: string | undefined;
}

/** Returns the notes on a variable. */
export function notesOf(schema: z.ZodType): VariableNotes {
  const { innerType } = schema.def as { readonly innerType?: z.ZodType };
  return { ...(innerType && notesOf(innerType)), ...schema.meta() };
}
