import { Acknowledgement, AcknowledgementReceipt } from '../arrival.ts';
import { operation } from './operation.ts';

/** Records that a watcher has the changes of its guilds up to a cursor, in its file and in memory. */
export const acknowledge = operation({
  type: 'mutation',
  access: 'application',
  input: Acknowledgement,
  output: AcknowledgementReceipt.meta({ id: 'AcknowledgementReceipt' }),
  // For the longest list of rejected changes.
  maxInputBytes: 128 * 1024,
  // All processes of a bot share a principal, and acknowledge as fast as guilds change.
  isCounted: false,
});
