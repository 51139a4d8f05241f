import { expect, test } from 'vitest';
import { TabStorage } from './kept-drafts.ts';

const refuse = () => {
  throw new DOMException('', 'SecurityError');
};

/** A storage of the browser whose room may end. */
class Room {
  setItem(key: string, value: string): void {
    if (value.length > 3) throw new DOMException('', 'QuotaExceededError');
    Object.assign(this, { [key]: value });
  }
  getItem(key: string): string | null {
    return (this as Record<string, unknown>)[key] as string;
  }
  removeItem(key: string): void {
    delete (this as Record<string, unknown>)[key];
  }
}

test.each([
  ['that the browser refuses', refuse],
  ['that is null', () => null],
])('with a storage %s, values are in memory', (_, open) => {
  const storage = new TabStorage(open);
  expect(storage.getItem('a')).toBeNull();
  storage.setItem('a', '1');
  expect([storage.getItem('a'), storage.keys(), storage.isInMemory('a')]).toStrictEqual(['1', ['a'], true]);
  storage.removeItem('a');
  expect([storage.getItem('a'), storage.keys(), storage.isInMemory('a')]).toStrictEqual([null, [], false]);
});

test('a value for which there is no room is in memory, instead of the stored one before it', () => {
  const room = new Room();
  const storage = new TabStorage(() => room as unknown as Storage);
  storage.setItem('a', '1');
  expect([storage.getItem('a'), storage.isInMemory('a')]).toStrictEqual(['1', false]);
  storage.setItem('a', 'long');
  expect([storage.getItem('a'), storage.keys(), storage.isInMemory('a')]).toStrictEqual(['long', ['a'], true]);
  storage.setItem('a', '2');
  expect([storage.getItem('a'), storage.isInMemory('a'), room.getItem('a')]).toStrictEqual(['2', false, '2']);
});
