import type { ServedSettings } from '@guild-settings/contract';
import { type DeclaredSettings, servedDeclaration } from '@guild-settings/contract/settings';
import type { Replica } from '@guild-settings/replica';

/**
 * The longest age of the texts of a declaration: they change with a restart of the service, which nothing announces.
 */
const MAX_AGE_MS = 60_000;
const RETRY_MS = 1_000;

export interface DeploymentOptions {
  readonly replica: Pick<Replica, 'declared' | 'on'>;
  readonly read: () => Promise<ServedSettings>;
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
}

/**
 * Follows which settings the service has, with their texts. Returns a function that returns them. The replica has the declaration
 * without texts, also where the service cannot be reached: until they are read, settings go by their names.
 */
export function followDeployment({ replica, read, clock, onError }: DeploymentOptions): () => DeclaredSettings {
  let served: DeclaredSettings | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  const isCurrent = () => served !== undefined && served.tag === replica.declared.tag;
  const refresh = () => {
    triedAt = clock();
    read().then((settings) => {
      served = servedDeclaration(settings);
    }, onError);
  };
  replica.on('declaration', refresh);
  refresh();
  return () => {
    if (Math.abs(clock() - triedAt) >= (isCurrent() ? MAX_AGE_MS : RETRY_MS)) refresh();
    return served !== undefined && isCurrent() ? served : replica.declared;
  };
}
