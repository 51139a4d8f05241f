import type { Application } from '@guild-settings/contract';
import type { Clock } from '../clock.ts';
import type { ServiceRequests } from './service-requests.ts';

/** Age from which on the application is read again, when a page is sent. */
const MAX_AGE_MS = 300_000;

/** Pauses between attempts while its name is not known: the first short, because the service may start at the same time. */
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 60_000;

const TIMEOUT_MS = 5_000;

export type Identity = Pick<Application, 'id' | 'name' | 'icon'>;

interface IdentityOptions {
  readonly service: ServiceRequests;
  readonly clock: Clock;
  readonly onChange: (identity: Identity) => Promise<void>;
}

/** Follows the name and the icon of the application. */
export interface IdentityFollower {
  /** Reads the application when what is known is old. Nobody waits for it. */
  refresh(): void;
  close(): void;
}

/** Follows the name and the icon of the application. While the service is away, they stay as they are. */
export function followIdentity({ service, clock, onChange }: IdentityOptions): IdentityFollower {
  let known: Identity | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const read = async () => {
    const request = { method: 'GET', target: '/application', headers: {} } as const;
    const { statusCode, body } = await service.send(request, undefined, AbortSignal.timeout(TIMEOUT_MS));
    const text = await body.text();
    if (statusCode !== 200) return;
    const { id, name, icon } = JSON.parse(text) as Application;
    if (name === null || (name === known?.name && icon === known.icon)) return;
    await onChange({ id, name, icon });
    known = { id, name, icon };
    readAtMs = clock();
  };
  const begin = async (pauseMs: number) => {
    await read().catch(() => undefined);
    if (known === undefined && !isClosed)
      timer = setTimeout(() => begin(Math.min(pauseMs * 2, MAX_PAUSE_MS)), pauseMs).unref();
  };
  void begin(FIRST_PAUSE_MS);
  return {
    refresh() {
      if (known === undefined || clock() - readAtMs < MAX_AGE_MS) return;
      readAtMs = clock();
      read().catch(() => undefined);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
