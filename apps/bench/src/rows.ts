import type { Row } from './bench.ts';
import { dashboardRows } from './dashboard-rows.ts';
import { followRows } from './follow-rows.ts';
import { replicaRead } from './replica-read.ts';
import { requestRows } from './request-rows.ts';

export const ROWS: readonly Row[] = [...requestRows, replicaRead, ...followRows, ...dashboardRows];
