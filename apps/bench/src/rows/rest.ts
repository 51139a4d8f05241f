import type { Row } from '../row.ts';
import { besidePeer } from './beside-plain-sqlite.ts';

/** An authorised GET. */
export const restGet: Row = {
  id: 'rest-get',
  what: 'authorised GET of a guild, 64 connections',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 1 },
  measure: (lab) => besidePeer(lab, 'read'),
};

/** The same, beside what trpc-openapi brings along. */
export const restGetStock: Row = {
  id: 'rest-get-stock',
  what: 'the same, beside the procedure behind the stock plugin of trpc-openapi',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 7 },
  measure: (lab) => besidePeer(lab, 'read', 'stock-openapi'),
};

/** A GET by somebody who has the record already. */
export const rest304: Row = {
  id: 'rest-304',
  what: 'conditional GET of an unchanged guild, 64 connections',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 1.1 },
  measure: (lab) => besidePeer(lab, 'conditional'),
};

/** A change that is on the disk when it is answered. */
export const restPatch: Row = {
  id: 'rest-patch',
  what: 'durable PATCH of distinct guilds, 64 connections',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 3 },
  measure: (lab) => besidePeer(lab, 'change'),
};
