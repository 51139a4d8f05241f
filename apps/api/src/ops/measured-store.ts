import type { Store } from '../store/store.ts';
import type { Metrics } from './metrics.ts';

/** The same store, with the time that its reads and writes take measured. */
export function measuredStore(store: Store, metrics: Metrics): Store {
  async function timed<T>(operation: string, work: () => Promise<T>): Promise<T> {
    const done = metrics.storeOperation(operation);
    try {
      return await work();
    } finally {
      done();
    }
  }
  return {
    read: (guildId) => timed('read', () => store.read(guildId)),
    // One a request, which is measured itself.
    readStamp: (guildId) => store.readStamp(guildId),
    write: (guildIds, decide) => timed('write', () => store.write(guildIds, decide)),
    guildsNotLeft: (shard) => timed('guilds_not_left', () => store.guildsNotLeft(shard)),
    reportedShards: () => timed('reported_shards', () => store.reportedShards()),
    markShardReported: (shard, at) => timed('mark_shard_reported', () => store.markShardReported(shard, at)),
    prune: (limits) => timed('prune', () => store.prune(limits)),
    readTimeTraces: () => timed('read_time_traces', () => store.readTimeTraces()),
    recordRetentionRun: (at) => timed('record_retention_run', () => store.recordRetentionRun(at)),
    readFeed: (after, limit) => timed('read_feed', () => store.readFeed(after, limit)),
    canResume: (cursor) => timed('can_resume', () => store.canResume(cursor)),
    ping: () => store.ping(),
    close: () => store.close(),
  };
}
