import { open } from 'node:inspector';
import type { RunOptions } from '../run-until-stopped.ts';

/** A message to a process of the services. The first one prepares it, the second one makes it start. */
export type ToServices =
  | { readonly dependencies: readonly string[] }
  | { readonly module: string; readonly isInspected: boolean; readonly options: RunOptions };

/**
 * A process of the services. It loads their dependencies in advance, so that they start within a fraction of a second.
 * It ends with its parent.
 */
process.on('disconnect', () => process.exit());
process.on('message', async (message: ToServices) => {
  if ('dependencies' in message) {
    await Promise.allSettled(message.dependencies.map((url) => import(url)));
    return;
  }
  const { module, isInspected, options } = message;
  if (isInspected) open(9229, '127.0.0.1');
  try {
    const { runUntilStopped } = await import(module);
    await runUntilStopped(options);
    process.send?.('started');
    // The channel to the parent would keep the process from ending once the services have stopped.
    process.channel?.unref();
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});
