import type { Row } from '../row.ts';
import { compareToPeer } from './compare-to-peer.ts';

const unit = 'requests/s';

/** An authorised GET. */
export const restGet: Row = {
  id: 'rest-get',
  what: 'authorised GET of a guild, 64 connections',
  unit,
  goal: { is: 'at least', ratio: 1 },
  measure: (context) => compareToPeer(context, { kind: 'read' }),
};

/** An authorised GET, compared with the plugin of trpc-openapi. */
export const restGetStock: Row = {
  id: 'rest-get-stock',
  what: 'the same, beside the procedure behind the stock plugin of trpc-openapi',
  unit,
  goal: { is: 'at least', ratio: 7 },
  measure: (context) => compareToPeer(context, { kind: 'read', peer: 'stock-openapi' }),
};

/** A GET of guilds of which few were requested before. */
export const getWide: Row = {
  id: 'get-wide',
  what: 'authorised GET of a great many guilds at random, 64 connections',
  unit,
  goal: { is: 'at least', ratio: 1 },
  measure: (context) =>
    compareToPeer(context, { kind: 'read', guilds: context.profile.wideGuilds, caller: 'application' }),
};

/** A GET of a record that the client already has. */
export const rest304: Row = {
  id: 'rest-304',
  what: 'conditional GET of an unchanged guild, 64 connections',
  unit,
  goal: { is: 'at least', ratio: 1.1 },
  measure: (context) => compareToPeer(context, { kind: 'conditional' }),
};

/** A change that is on the disk before the response. */
export const restPatch: Row = {
  id: 'rest-patch',
  what: 'durable PATCH of guilds at random, 64 connections',
  unit,
  goal: { is: 'at least', ratio: 3 },
  measure: (context) => compareToPeer(context, { kind: 'change' }),
};

/** Changes of one writer, of which no two share a commit. */
export const patchLone: Row = {
  id: 'patch-lone',
  what: 'durable PATCH of guilds at random, 1 connection',
  unit,
  goal: { is: 'at least', ratio: 1 },
  also: '>= 1 x etcd',
  async measure(context) {
    const measured = await compareToPeer(context, { kind: 'change', connections: 1, isBesideEtcd: true });
    return { ...measured, alsoMet: measured.ours >= (measured.peers.etcd ?? 0) };
  },
};
