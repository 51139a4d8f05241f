export {
  type ColumnDeclaration,
  type CustomOf,
  type Declaration,
  DeclaredSettings,
  defineSettings,
  isRow,
  type Setting,
  type SettingDeclaration,
  type Texts,
  textIn,
} from '@guild-settings/contract/settings';
export { FileInUseError } from '@guild-settings/runtime/sqlite-file';
export { DamagedFileError } from './damaged-file.ts';
export type { SettingDifference, SettingsOf } from './declaration.ts';
export type { Shards } from './follow-shards.ts';
export type { ChangeListener } from './listeners.ts';
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
