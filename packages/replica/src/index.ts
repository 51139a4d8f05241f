export { FileInUseError } from '@guild-settings/runtime/sqlite-file';
export type { ChangeListener } from './change-emitter.ts';
export { DamagedFileError } from './damaged-file.ts';
export type { Shards } from './follow-shards.ts';
export { type ApplicationCredentials, type OpenReplicaOptions, openReplica, type ReplicaLog } from './open-replica.ts';
export { Replica } from './replica.ts';
export type {
  DeclarationListener,
  Follow,
  HeldReset,
  ReplicaMetrics,
  ReplicaOptions,
  ReplicaStatus,
} from './replica-options.ts';
export type { SettingDifference, SettingsOf } from './settings-in-effect.ts';
