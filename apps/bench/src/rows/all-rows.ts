import type { Row } from '../row.ts';
import { arrival, arrivalCost, arrivalOfMany } from './arrival.ts';
import { lighthouseOfGuilds, lighthouseOfLogin, lighthouseOfSettings } from './dashboard-lighthouse.ts';
import { memoryOfDashboard } from './dashboard-memory.ts';
import { openingOfDashboard } from './dashboard-open.ts';
import { history } from './history.ts';
import { importOfGuilds } from './import.ts';
import { memoryOfApi, memoryOfBot } from './memory.ts';
import { POSTGRES_ROWS } from './postgres.ts';
import { propagation, propagationToMany } from './propagation.ts';
import { prune } from './prune.ts';
import { replicaRead, replicaReadOfMany } from './replica-read.ts';
import { rest304, restGet, restGetStock, restPatch } from './rest.ts';
import { resume, resync } from './resync.ts';
import { scaleGet, scalePatch } from './scale.ts';
import { startOfApi, startOfBot } from './start.ts';
import { trpcGet } from './trpc-get.ts';

/** All rows in the order of the report. */
export const ROWS: readonly Row[] = [
  restGet,
  restGetStock,
  rest304,
  restPatch,
  trpcGet,
  replicaRead,
  replicaReadOfMany,
  propagation,
  propagationToMany,
  arrival,
  arrivalOfMany,
  arrivalCost,
  resync,
  resume,
  importOfGuilds,
  scaleGet,
  scalePatch,
  history,
  prune,
  memoryOfBot,
  memoryOfApi,
  startOfApi,
  startOfBot,
  openingOfDashboard,
  memoryOfDashboard,
  lighthouseOfLogin,
  lighthouseOfGuilds,
  lighthouseOfSettings,
  ...POSTGRES_ROWS,
];
