import { z } from 'zod';
import type { Declaration } from './settings/declaration.ts';

/** A setting as readers take it. What is none is of a kind that no version knows: it is left out and named. */
const ReceivedSetting = z
  .looseObject({ kind: z.string(), label: z.looseObject({}).catch({}) })
  .catch({ kind: '', label: {} });

const Received = z.object({
  tag: z.string().catch(''),
  declaration: z
    .looseObject({
      settings: z.record(z.string(), ReceivedSetting).catch({}),
      defaults: z.looseObject({}).catch({}),
    })
    .catch({ settings: {}, defaults: {} }),
});

/** Reads a declaration of any version of the service. What cannot be read of it costs nothing else. */
export function readDeclaration(data: unknown): { readonly tag: string; readonly declaration: Declaration } {
  const { tag, declaration } = Received.parse(data);
  return { tag, declaration: declaration as Declaration };
}
