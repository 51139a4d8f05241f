export {
  type Follow,
  Replica,
  type ReplicaCounts,
  type ReplicaOptions,
  type ReplicaStatus,
} from './replica/replica.ts';
