import { open } from 'node:inspector';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { RunOptions } from '../run-until-stopped.ts';

/** The message that makes a process of the services start them. */
export interface StartMessage {
  readonly isInspected: boolean;
  readonly options: RunOptions;
}

/** A message of a process of the services: it has loaded its modules or failed to, or has started. */
export interface ServicesMessage {
  readonly state: 'loaded' | 'broken' | 'started';
  /** The files of this repository that it has loaded. */
  readonly files: readonly string[];
}

const files: string[] = [];

/** @see https://nodejs.org/api/module.html#synchronous-hooks-accepted-by-moduleregisterhooks */
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith('file:') && !url.includes('/node_modules/')) files.push(fileURLToPath(url));
    return nextLoad(url, context);
  },
});

const send = (state: ServicesMessage['state'], whenSent?: () => void) =>
  process.send?.({ state, files } satisfies ServicesMessage, undefined, undefined, whenSent);

const fail = (error: unknown) => {
  console.error(error);
  send('broken', () => process.exit(1));
};

/** A process of the services. It loads them, and starts them when it is told to. It ends with its parent. */
process.on('disconnect', () => process.exit());
try {
  const { runUntilStopped } = await import('../run-until-stopped.ts');
  process.once('message', async ({ isInspected, options }: StartMessage) => {
    try {
      if (isInspected) open(9229, '127.0.0.1');
      await runUntilStopped(options);
      // The channel to the parent would keep the process from ending once the services have stopped.
      send('started', () => process.channel?.unref());
    } catch (error) {
      fail(error);
    }
  });
  send('loaded');
} catch (error) {
  fail(error);
}
