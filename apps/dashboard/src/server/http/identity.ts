import type { Application } from '@guild-settings/contract';
import type { Clock } from '../clock.ts';
import type { ServiceRequests } from './service-requests.ts';

/** Age from which on the application is read again. */
const MAX_AGE_MS = 300_000;
/** The same, while its name is not known. */
const RETRY_MS = 1_000;

const TIMEOUT_MS = 5_000;

/** The application whose bot the pages are of. */
export type Identity = Pick<Application, 'id' | 'name' | 'icon'>;

interface IdentityOptions {
  readonly service: ServiceRequests;
  readonly clock: Clock;
  /** Called with the application when it is another one than before. */
  readonly onChange: (identity: Identity) => Promise<void>;
}

/** Follows the name and the icon of the application. While the service is away, they stay as they are. */
export function followIdentity({ service, clock, onChange }: IdentityOptions): () => void {
  let known: Identity | undefined;
  let readAtMs = Number.NEGATIVE_INFINITY;
  const read = async () => {
    const request = { method: 'GET', target: '/application', headers: {} } as const;
    const { statusCode, body } = await service.send(request, undefined, AbortSignal.timeout(TIMEOUT_MS));
    const text = await body.text();
    if (statusCode !== 200) return;
    const { id, name, icon } = JSON.parse(text) as Application;
    if (name === null || (name === known?.name && icon === known.icon)) return;
    known = { id, name, icon };
    await onChange(known);
  };
  /** Reads the application when what is known is old. Nobody waits for it. */
  return () => {
    if (clock() - readAtMs < (known === undefined ? RETRY_MS : MAX_AGE_MS)) return;
    readAtMs = clock();
    read().catch(() => undefined);
  };
}
