import { describe, expect, test } from 'vitest';
import { absoluteTime, dayHeading, relativeTime, timeText, untilNextTextMs } from './time.ts';

const now = Date.parse('2026-11-22T12:00:00.000Z');
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

describe('the time since a change', () => {
  test.each([
    [0, 'now'],
    [4 * second, 'now'],
    [-30 * second, 'now'],
    [59 * second, '59 seconds ago'],
    [minute, '1 minute ago'],
    [59 * minute, '59 minutes ago'],
    [23 * hour, '23 hours ago'],
    [day, 'yesterday'],
    [29 * day, '29 days ago'],
    [31 * day, 'last month'],
    [800 * day, '2 years ago'],
  ])('%d ms: %s', (passedMs, text) => expect(relativeTime(now - passedMs, now, 'en-US')).toBe(text));

  test.each([
    ['es-ES', 'hace 3 minutos'],
    ['ru', '3 минуты назад'],
    ['ja', '3 分前'],
    ['hi', '3 मिनट पहले'],
  ])('is said in %s', (language, text) => expect(relativeTime(now - 3 * minute, now, language)).toBe(text));

  test('changes its text exactly when it says', () => {
    for (const passed of [0, 4_999, 5_000, 59_500, 61_000, 3_700_000, 90_000_000]) {
      const wait = untilNextTextMs(now - passed, now);
      const text = (laterMs: number) => relativeTime(now - passed, now + laterMs, 'en-US');
      expect(text(wait - 1)).toBe(text(0));
      expect(text(wait)).not.toBe(text(0));
    }
  });
});

test('the time of a change is in the time zone of the reader', () => {
  const at = Date.parse('2026-11-22T23:30:00.000Z');
  expect(absoluteTime(at, 'es-ES', 'Europe/Madrid')).toBe('23 de noviembre de 2026 a las 0:30:00');
});

describe('a time within a sentence', () => {
  const tokyo = { language: 'en-GB', timeZone: 'Asia/Tokyo' };
  test.each([
    ['2026-11-22T11:00:00Z', '20:00:00'],
    // Midnight in Tokyo.
    ['2026-11-21T15:00:00Z', '00:00:00'],
    ['2026-11-21T14:59:59Z', '21 Nov 2026, 23:59:59'],
    ['2025-11-22T11:00:00Z', '22 Nov 2025, 20:00:00'],
  ])('%s: %s', (at, text) => expect(timeText(Date.parse(at), now, tokyo)).toBe(text));
});

describe('the heading of a day', () => {
  const tokyo = { language: 'en-US', timeZone: 'Asia/Tokyo' };
  test.each([
    ['2026-11-22T11:00:00Z', 'Today'],
    // Midnight in Tokyo.
    ['2026-11-21T15:00:00Z', 'Today'],
    ['2026-11-21T14:59:59Z', 'Yesterday'],
    ['2026-11-20T14:00:00Z', 'November 20, 2026'],
  ])('%s: %s', (at, heading) => expect(dayHeading(Date.parse(at), now, tokyo)).toBe(heading));
});
