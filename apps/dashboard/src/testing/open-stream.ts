import { waitUntil } from '@guild-settings/testing';
import type { Browser } from './browser.ts';
import { IDS, type TestDashboard } from './dashboard-world.ts';

/** An open stream of events. */
export interface OpenStream {
  /** Resolves with the text of the stream when it has ended. */
  readonly whole: Promise<string>;
  /** The text so far. */
  text(): string;
}

/** Opens the events of the guild, and waits for the first one. */
export async function openStream(dashboard: TestDashboard, browser: Browser): Promise<OpenStream> {
  return readStream(await dashboard.call(browser, 'guilds.follow', { guild: IDS.guild }));
}

/** Reads a stream of events until it ends, and waits for its first one. */
export async function readStream(response: Response): Promise<OpenStream> {
  if (response.headers.get('content-type') !== 'text/event-stream') {
    throw new Error(`Expected a stream, received ${response.status} ${await response.text()}`);
  }
  let text = '';
  const whole = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    return text;
  })();
  await waitUntil(() => text.includes('data: {"type"') || text.includes('"type":"guild"'), {
    message: 'the first event of the stream',
  });
  return { whole, text: () => text };
}
