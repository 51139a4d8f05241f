import type { GuildId } from '@guild-settings/contract';
import type { Metrics } from '../ops/metrics.ts';
import type { Store, StoreCommand } from './store.ts';
import type { StoreAccess, StoreHealth } from './store-health.ts';

interface Operation {
  readonly name: string;
  readonly access: StoreAccess;
  readonly guildIds?: readonly GuildId[];
}

interface MeasuredStoreOptions {
  readonly metrics: Metrics;
  readonly health: StoreHealth;
  /** Called after a commit that watches have to send. */
  readonly onCommit: () => void;
  /** Returns whether an error is the refusal of a command, and not a failure of the store. */
  readonly isRefusal: (error: unknown) => boolean;
}

/** Wraps a store: measures the duration of its operations, reports failures to the health check, and emits commits. */
export function measuredStore<Command extends StoreCommand>(
  store: Store<Command>,
  { metrics, health, onCommit, isRefusal }: MeasuredStoreOptions,
): Store<Command> {
  function failed({ name, access, guildIds = [] }: Operation, error: unknown): void {
    if (isRefusal(error)) return;
    metrics.storeError(name);
    health.failed(name, access, error, guildIds);
  }
  async function timed<T>(operation: Operation, work: () => Promise<T>): Promise<T> {
    const done = metrics.storeOperation(operation.name);
    try {
      const result = await work();
      health.succeeded(operation.name);
      return result;
    } catch (error) {
      failed(operation, error);
      throw error;
    } finally {
      done();
    }
  }
  const read = <T>(name: string, work: () => Promise<T>, guildIds: readonly GuildId[] = []) =>
    timed({ name, access: 'read', guildIds }, work);
  const write = <T>(name: string, work: () => Promise<T>, guildIds: readonly GuildId[] = []) =>
    timed({ name, access: 'write', guildIds }, work);
  // The value of a metric label, which keeps its name for the dashboards and alerts that use it.
  const readVersion = 'read_stamp';
  const versionRead = () => health.succeeded(readVersion);
  return {
    read: (guildId) => read('read', () => store.read(guildId), [guildId]),
    // Not timed: it is called once for each request, which is measured itself.
    readVersion(guildId) {
      const version = store.readVersion(guildId);
      version.then(versionRead, (error: unknown) =>
        failed({ name: readVersion, access: 'read', guildIds: [guildId] }, error),
      );
      return version;
    },
    async write(command) {
      const result = await write('write', () => store.write(command), command.guildIds);
      if (result.written > 0) onCommit();
      return result;
    },
    guildsNotLeft: (shard) => read('guilds_not_left', () => store.guildsNotLeft(shard)),
    reportedShards: () => read('reported_shards', () => store.reportedShards()),
    markShardReported: (shard, at) => write('mark_shard_reported', () => store.markShardReported(shard, at)),
    async prune(limits) {
      const pruned = await write('prune', () => store.prune(limits));
      if (pruned.guilds > 0) onCommit();
      return pruned;
    },
    readTimeTraces: () => read('read_time_traces', () => store.readTimeTraces()),
    recordRetentionRun: (at) => write('record_retention_run', () => store.recordRetentionRun(at)),
    keepTokenCheck: (check) => write('keep_token_check', () => store.keepTokenCheck(check)),
    forgetTokenCheck: (tokenHash) => write('forget_token_check', () => store.forgetTokenCheck(tokenHash)),
    readTokenChecks: (applicationId) => read('read_token_checks', () => store.readTokenChecks(applicationId)),
    readFeed: (after, limit) => read('read_feed', () => store.readFeed(after, limit)),
    canResume: (cursor) => read('can_resume', () => store.canResume(cursor)),
    probeRead: (guildIds) => store.probeRead(guildIds),
    probeWrite: () => store.probeWrite(),
    close: () => store.close(),
  };
}
