import type { Row } from '../row.ts';
import { memoryOfApi, memoryOfBot } from './memory.ts';
import { propagation, propagationToMany } from './propagation.ts';
import { replicaRead } from './replica-read.ts';
import { rest304, restGet, restPatch } from './rest.ts';
import { resume, resync } from './resync.ts';
import { startOfApi, startOfBot } from './start.ts';

/** Everything that is measured, in the order of the report. */
export const ROWS: readonly Row[] = [
  restGet,
  rest304,
  restPatch,
  replicaRead,
  propagation,
  propagationToMany,
  resync,
  resume,
  memoryOfBot,
  memoryOfApi,
  startOfApi,
  startOfBot,
];
