import { z } from 'zod';
import type { Message } from '../../world/entities.ts';
import { byAge } from '../../world/snowflake.ts';
import { id, integerText, optional } from '../form/fields.ts';
import { readForm } from '../form/read-form.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

const pageQuery = z.object({
  around: optional(id),
  before: optional(id),
  after: optional(id),
  limit: optional(integerText({ min: 1, max: MAX_LIMIT })),
});

/**
 * Returns the requested page of a channel's messages, newest first.
 *
 * @param messages - oldest first
 * @throws {RestRefusal} 400 naming the parameters that are malformed or out of bounds
 * @see https://discord.com/developers/docs/resources/message#get-channel-messages
 */
export function messagePage(messages: readonly Message[], query: unknown): Message[] {
  const { around, before, after, limit = DEFAULT_LIMIT } = readForm(pageQuery, query);
  if (around !== undefined) {
    const newer = messages.filter((message) => byAge(message.id, around) >= 0);
    const older = messages.length - newer.length;
    const start = Math.max(0, older - Math.floor(limit / 2));
    return messages.slice(start, start + limit).reverse();
  }
  if (before !== undefined) {
    return messages
      .filter((message) => byAge(message.id, before) < 0)
      .slice(-limit)
      .reverse();
  }
  if (after !== undefined) {
    return messages
      .filter((message) => byAge(message.id, after) > 0)
      .slice(0, limit)
      .reverse();
  }
  return messages.slice(-limit).reverse();
}
