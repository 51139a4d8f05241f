import type { Row } from '../row.ts';
import { arrival, arrivalCost, arrivalOfMany } from './arrival.ts';
import { firstChange } from './dashboard-first-change.ts';
import { lighthouseOfGuilds, lighthouseOfLogin, lighthouseOfSettings } from './dashboard-lighthouse.ts';
import { memoryOfDashboard } from './dashboard-memory.ts';
import { openingOfDashboard } from './dashboard-open.ts';
import { deployedSize } from './deployed-size.ts';
import { FAN_OUT_ROWS } from './fan-out.ts';
import { getDefault } from './get-default.ts';
import { history } from './history.ts';
import { importOfGuilds } from './import.ts';
import { memoryOfApi, memoryOfBot } from './memory.ts';
import { memoryWide } from './memory-wide.ts';
import { mixed } from './mixed.ts';
import { POSTGRES_ROWS } from './postgres.ts';
import { propagation, propagationToMany } from './propagation.ts';
import { prune } from './prune.ts';
import { replicaRead, replicaReadOfMany } from './replica-read.ts';
import { getWide, patchLone, rest304, restGet, restGetStock, restPatch } from './rest.ts';
import { resume, resync } from './resync.ts';
import { scaleGet, scalePatch } from './scale.ts';
import { startOfApi, startOfBot } from './start.ts';
import { trpcGet } from './trpc-get.ts';
import { workers } from './workers.ts';

/** All rows in the order of the report. */
export const ROWS: readonly Row[] = [
  restGet,
  restGetStock,
  getWide,
  getDefault,
  rest304,
  restPatch,
  patchLone,
  mixed,
  workers,
  trpcGet,
  replicaRead,
  replicaReadOfMany,
  propagation,
  propagationToMany,
  arrival,
  arrivalOfMany,
  arrivalCost,
  ...FAN_OUT_ROWS,
  resync,
  resume,
  importOfGuilds,
  scaleGet,
  scalePatch,
  history,
  prune,
  memoryOfBot,
  memoryOfApi,
  memoryWide,
  deployedSize,
  startOfApi,
  startOfBot,
  openingOfDashboard,
  firstChange,
  memoryOfDashboard,
  lighthouseOfLogin,
  lighthouseOfGuilds,
  lighthouseOfSettings,
  ...POSTGRES_ROWS,
];
