import type { z } from 'zod';
import { notesOf } from './variable-notes.ts';

/** A variable, as operators read about it. */
export interface VariableDescription {
  readonly key: string;
  readonly description: string;
  /** Undefined: there is none. */
  readonly defaultValue: string | undefined;
  readonly isRequired: boolean;
  /** True: it may be given as the path of a file. */
  readonly isSecret: boolean;
}

/** Describes variables from their schemas. */
export function describeVariables(variables: z.ZodRawShape): VariableDescription[] {
  return Object.entries(variables as Readonly<Record<string, z.ZodType>>).map(([key, schema]) => {
    const { description = '', isSecret = false } = notesOf(schema);
    const { defaultValue } = schema.def as { readonly defaultValue?: string };
    // An empty default is that of a list.
    const isRequired = !schema.safeParse(undefined).success;
    return { key, description, defaultValue: defaultValue || undefined, isRequired, isSecret };
  });
}
