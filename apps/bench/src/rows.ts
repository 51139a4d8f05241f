import type { Row } from './bench.ts';
import { dashboardOpen, firstChange } from './dashboard-rows.ts';
import { fanOut, propagation, resync } from './follow-rows.ts';
import { replicaRead } from './replica-read.ts';
import {
  getDefault,
  getWide,
  memoryWide,
  patchLone,
  postgresGet,
  postgresPatch,
  restGet,
  restPatch,
  trpcGet,
} from './request-rows.ts';

export const ROWS: readonly Row[] = [
  restGet,
  getWide,
  getDefault,
  restPatch,
  patchLone,
  trpcGet,
  replicaRead,
  propagation,
  resync,
  fanOut,
  memoryWide,
  dashboardOpen,
  firstChange,
  postgresGet,
  postgresPatch,
];
