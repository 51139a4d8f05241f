import { afterEach } from 'vitest';
import { DeviationFinder } from './deviations.ts';
import { type HttpExchange, recordExchanges } from './http-exchange.ts';
import { readDiscordDocument } from './openapi-document.ts';

/** The file of Discord's OpenAPI document; `null`: calls are not checked. */
const FILE = process.env.DISCORD_OPENAPI || null;

/** Finds deviations from Discord's document; `null` without the document. */
export const finder = FILE === null ? null : new DeviationFinder(readDiscordDocument(FILE));

const exchanges: HttpExchange[] = [];
let exemption: string | null = null;

if (finder) recordExchanges('/api', (exchange) => void exchanges.push(exchange));

/** Exempts the calls of the current test from the check. */
export function exemptCalls(reason: string): void {
  exemption = reason;
}

/** Returns the calls since the last check. */
export function uncheckedCalls(): readonly HttpExchange[] {
  return exchanges;
}

/** Returns the deviations of the calls since the last check. */
export function checkCalls(): string[] {
  const found = exemption === null ? exchanges.flatMap((exchange) => finder?.deviations(exchange) ?? []) : [];
  exchanges.length = 0;
  exemption = null;
  return found;
}

// Every test fails whose calls deviate from Discord's document.
afterEach(() => {
  const found = checkCalls();
  if (found.length > 0) throw new Error(`Calls deviate from Discord's OpenAPI document:\n${found.join('\n')}`);
});
