import type { Row } from '../row.ts';
import { POSTGRES_ROWS } from './postgres.ts';
import { rest304, restGet, restGetStock, restPatch } from './rest.ts';
import { scaleGet, scalePatch } from './scale.ts';
import { trpcGet } from './trpc-get.ts';

/** Everything that is measured, in the order of the report. */
export const ROWS: readonly Row[] = [
  restGet,
  restGetStock,
  rest304,
  restPatch,
  trpcGet,
  scaleGet,
  scalePatch,
  ...POSTGRES_ROWS,
];
