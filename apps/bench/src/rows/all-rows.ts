import type { Row } from '../row.ts';
import { rest304, restGet, restPatch } from './rest.ts';

/** Everything that is measured, in the order of the report. */
export const ROWS: readonly Row[] = [restGet, rest304, restPatch];
