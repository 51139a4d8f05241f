import type { Row } from '../row.ts';
import { compareToPeer } from './compare-to-peer.ts';

/** An authorised GET. */
export const restGet: Row = {
  id: 'rest-get',
  what: 'authorised GET of a guild, 64 connections',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 1 },
  measure: (context) => compareToPeer(context, 'read'),
};

/** An authorised GET, compared with the plugin of trpc-openapi. */
export const restGetStock: Row = {
  id: 'rest-get-stock',
  what: 'the same, beside the procedure behind the stock plugin of trpc-openapi',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 7 },
  measure: (context) => compareToPeer(context, 'read', 'stock-openapi'),
};

/** A GET of a record that the client already has. */
export const rest304: Row = {
  id: 'rest-304',
  what: 'conditional GET of an unchanged guild, 64 connections',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 1.1 },
  measure: (context) => compareToPeer(context, 'conditional'),
};

/** A change that is on the disk before the response. */
export const restPatch: Row = {
  id: 'rest-patch',
  what: 'durable PATCH of distinct guilds, 64 connections',
  unit: 'requests/s',
  goal: { is: 'at least', ratio: 3 },
  measure: (context) => compareToPeer(context, 'change'),
};
