import type { ServedSettings } from '@guild-settings/contract';
import { type Declaration, DeclaredSettings, servedDeclaration } from '@guild-settings/contract/settings';

/** Maximum age of a declaration's texts: they may change with a restart of the service, which is not announced. */
const MAX_AGE_MS = 60_000;
const RETRY_MS = 1_000;

/** The part of a replica with the declared settings of the service. */
export interface DeclarationSource {
  readonly declared: DeclaredBySource;
  /** Returns a function that removes the listener. */
  on(event: 'declaration', listener: () => unknown): () => void;
}

interface DeclaredBySource {
  readonly declaration: Declaration | undefined;
  readonly tag: string | undefined;
}

export interface DeploymentOptions {
  readonly replica: DeclarationSource;
  readonly read: (signal?: AbortSignal) => Promise<ServedSettings>;
  readonly clock: () => number;
  readonly onError: (error: unknown) => void;
  /** Stops the reads. */
  readonly signal?: AbortSignal;
}

/**
 * Follows the settings of the service and their texts. Returns a function that returns them. The replica has the
 * declaration without texts, even if the service cannot be reached: until the texts are read, settings are displayed by
 * name.
 */
export function followDeployment({ replica, read, clock, onError, signal }: DeploymentOptions): () => DeclaredSettings {
  let served: DeclaredSettings | undefined;
  const ofReplica = rebuilt();
  let triedAt = Number.NEGATIVE_INFINITY;
  const isCurrent = () => served !== undefined && served.tag === replica.declared.tag;
  const refresh = () => {
    triedAt = clock();
    read(signal)
      .then((settings) => {
        served = servedDeclaration(settings);
      })
      .catch((error) => signal?.aborted || onError(error));
  };
  const end = replica.on('declaration', refresh);
  signal?.addEventListener('abort', end, { once: true });
  refresh();
  return () => {
    if (Math.abs(clock() - triedAt) >= (isCurrent() ? MAX_AGE_MS : RETRY_MS)) refresh();
    return served !== undefined && isCurrent() ? served : ofReplica(replica.declared);
  };
}

/**
 * Returns a function that converts a replica's settings to this package's classes: a replica may have another copy of
 * them.
 */
function rebuilt(): (declared: DeclaredBySource) => DeclaredSettings {
  let [of, own]: [DeclaredBySource?, DeclaredSettings?] = [];
  return (declared) => {
    if (own === undefined || of !== declared)
      [of, own] = [declared, new DeclaredSettings(declared.declaration, declared.tag)];
    return own;
  };
}
