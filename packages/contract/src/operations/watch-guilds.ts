import { WatchEvent, WatchInput } from '../watch.ts';
import { operation } from './operation.ts';

/** Follows the changes of guilds, for replicas. The stream ends when the caller's token expires. */
export const watchGuilds = operation({
  type: 'subscription',
  access: 'application',
  input: WatchInput,
  output: WatchEvent,
});
