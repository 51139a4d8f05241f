import type { Row } from '../row.ts';
import { firstChange } from './dashboard-first-change.ts';
import { dashboardOpen } from './dashboard-open.ts';
import { fanOut } from './fan-out.ts';
import { history } from './history.ts';
import { memoryWide } from './memory-wide.ts';
import { postgresGet, postgresPatch } from './postgres.ts';
import { propagation } from './propagation.ts';
import { replicaRead } from './replica-read.ts';
import { getDefault, getWide, patchLone, restGet, restPatch } from './rest.ts';
import { resync } from './resync.ts';
import { trpcGet } from './trpc-get.ts';

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
  history,
  memoryWide,
  dashboardOpen,
  firstChange,
  postgresGet,
  postgresPatch,
];
