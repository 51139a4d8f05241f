import { open } from 'node:inspector';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { RunOptions } from '../run-until-stopped.ts';

/**
 * A message to a process of the services, in this order: the dependencies to preload, so that the services start in a
 * fraction of the time; the request to load the services; the request to start them.
 */
export type ToServices =
  | { readonly dependencies: readonly string[] }
  | { readonly isLoading: true }
  | { readonly isInspected: boolean; readonly options: RunOptions };

/** A message of a process of the services: it has loaded their modules or failed to, or has started. */
export interface FromServices {
  readonly state: 'loaded' | 'broken' | 'started';
  /** The files of this repository that it has loaded. */
  readonly files: readonly string[];
  /** The URLs of third-party modules that these files import. */
  readonly dependencies: readonly string[];
}

const files = new Set<string>();
const dependencies = new Set<string>();

const isOwn = (url = '') => url.startsWith('file:') && !url.includes('/node_modules/');

/** @see https://nodejs.org/api/module.html#synchronous-hooks-accepted-by-moduleregisterhooks */
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    if (isOwn(context.parentURL) && resolved.url.includes('/node_modules/')) dependencies.add(resolved.url);
    return resolved;
  },
  load(url, context, nextLoad) {
    if (isOwn(url)) files.add(fileURLToPath(url));
    return nextLoad(url, context);
  },
});

function send(state: FromServices['state'], whenSent?: () => void): void {
  const message: FromServices = { state, files: [...files], dependencies: [...dependencies] };
  process.send?.(message, undefined, undefined, whenSent);
}

/** A process of the services. It ends with its parent. */
process.on('disconnect', () => process.exit());
process.on('message', async (message: ToServices) => {
  if ('dependencies' in message) {
    await Promise.allSettled(message.dependencies.map((url) => import(url)));
    return;
  }
  try {
    const { runUntilStopped } = await import('../run-until-stopped.ts');
    if ('isLoading' in message) return send('loaded');
    if (message.isInspected) open(9229, '127.0.0.1');
    await runUntilStopped(message.options);
    // The channel to the parent would keep the process running after the services have stopped.
    send('started', () => process.channel?.unref());
  } catch (error) {
    console.error(error);
    send('broken', () => process.exit(1));
  }
});
