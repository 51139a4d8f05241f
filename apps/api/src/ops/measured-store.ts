import { type GuildId, ProblemError } from '@guild-settings/contract';
import { WritePermissionExpiredError } from '../auth/write-permission.ts';
import type { Store, StoreCommand } from '../store/store.ts';
import type { Metrics } from './metrics.ts';
import type { StoreAccess, StoreHealth } from './store-health.ts';

interface Operation {
  readonly name: string;
  readonly access: StoreAccess;
  readonly guildIds?: readonly GuildId[];
}

/** The same store, with the time that its operations take measured, and their outcomes noted. */
export function measuredStore<Command extends StoreCommand>(
  store: Store<Command>,
  metrics: Metrics,
  health: StoreHealth,
): Store<Command> {
  function failed({ name, access, guildIds = [] }: Operation, error: unknown): void {
    // What a decision throws is a refusal, and not the store's failure.
    if (error instanceof ProblemError || error instanceof WritePermissionExpiredError) return;
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
  const readStampSucceeded = () => health.succeeded('read_stamp');
  const read = <T>(name: string, work: () => Promise<T>, guildIds: readonly GuildId[] = []) =>
    timed({ name, access: 'read', guildIds }, work);
  const write = <T>(name: string, work: () => Promise<T>, guildIds: readonly GuildId[] = []) =>
    timed({ name, access: 'write', guildIds }, work);
  return {
    read: (guildId) => read('read', () => store.read(guildId), [guildId]),
    // One a request, which is measured itself.
    readStamp(guildId) {
      const stamp = store.readStamp(guildId);
      stamp.then(readStampSucceeded, (error: unknown) =>
        failed({ name: 'read_stamp', access: 'read', guildIds: [guildId] }, error),
      );
      return stamp;
    },
    write: (command) => write('write', () => store.write(command), command.guildIds),
    guildsNotLeft: (shard) => read('guilds_not_left', () => store.guildsNotLeft(shard)),
    reportedShards: () => read('reported_shards', () => store.reportedShards()),
    markShardReported: (shard, at) => write('mark_shard_reported', () => store.markShardReported(shard, at)),
    prune: (limits) => write('prune', () => store.prune(limits)),
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
