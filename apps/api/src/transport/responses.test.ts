import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import type { Principal } from '../auth/principal.ts';
import { ResponseRoom, UnsentResponses } from './responses.ts';

const MEGABYTE = 1_024 * 1_024;

const person = (userId: string): Principal => ({
  kind: 'user',
  userId,
  managedGuilds: new Map(),
  otherGuilds: new Map(),
});
const ALICE = person('1');
const BOB = person('2');

/** A response on its own connection, and its capacity. */
function roomIn(unsent: UnsentResponses, principal = ALICE, maxBytes = 2 * MEGABYTE) {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const room = new ResponseRoom(unsent, response, { maxBytes, token: { principal }, clientNetwork: () => '127.0.0.1' });
  return { response, room, end: () => response.emit('close') };
}

/** Returns true if a promise is still pending after all other work had its turn. */
async function isPending(promise: Promise<unknown> | undefined): Promise<boolean> {
  const turn = new Promise((resolve) => setImmediate(() => resolve('turn')));
  return (await Promise.race([promise?.then(() => 'done'), turn])) === 'turn';
}

describe('the responses of a person that are not sent', () => {
  test('have room up to four megabytes, and the next one waits until one of them is sent', async () => {
    const unsent = new UnsentResponses();
    const [first, second, third] = [roomIn(unsent), roomIn(unsent), roomIn(unsent)];
    await first.room.reserve();
    await second.room.reserve();
    const waiting = third.room.reserve();
    expect(await isPending(waiting)).toBe(true);
    await roomIn(unsent, BOB).room.reserve();
    second.end();
    await waiting;
  });

  test('count with their bytes once they are made', async () => {
    const unsent = new UnsentResponses();
    const [first, second, third] = [roomIn(unsent), roomIn(unsent), roomIn(unsent)];
    await first.room.reserve();
    await second.room.reserve();
    const waiting = third.room.reserve();
    first.room.made(100);
    await waiting;
  });

  test('count also without a reservation, and a response alone has room however large it is', async () => {
    const unsent = new UnsentResponses();
    const first = roomIn(unsent, ALICE, 0);
    await first.room.reserve();
    first.room.made(3 * MEGABYTE);
    const second = roomIn(unsent);
    const waiting = second.room.reserve();
    expect(await isPending(waiting)).toBe(true);
    first.end();
    await waiting;
    second.end();
    await roomIn(unsent, ALICE, 40 * MEGABYTE).room.reserve();
  });

  test('are reserved once for all calls of a batch', async () => {
    const unsent = new UnsentResponses();
    const { room } = roomIn(unsent, ALICE, 4 * MEGABYTE);
    await Promise.all([room.reserve(), room.reserve(), room.reserve()]);
  });

  test('wait no longer for a client that is gone', async () => {
    const unsent = new UnsentResponses();
    const [first, second, third] = [roomIn(unsent, ALICE, 4 * MEGABYTE), roomIn(unsent), roomIn(unsent)];
    await first.room.reserve();
    const gone = second.room.reserve();
    second.response.req.socket.emit('close');
    await expect(gone).rejects.toMatchObject({ slug: 'rate-limited' });
    first.end();
    await third.room.reserve();
  });
});

test('the responses of all people together have room for 32 megabytes', async () => {
  const unsent = new UnsentResponses();
  const rooms = Array.from({ length: 8 }, (_, index) => roomIn(unsent, person(`1${index}`), 4 * MEGABYTE));
  await Promise.all(rooms.map(({ room }) => room.reserve()));
  const waiting = roomIn(unsent, BOB).room.reserve();
  expect(await isPending(waiting)).toBe(true);
  rooms[0]?.end();
  await waiting;
});

test('of responses that fill the room of all, one gives way at a time: of the person who has most of them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  try {
    const unsent = new UnsentResponses();
    const made = ['slow', 'a', 'b', 'c'].map((name) => {
      const own = roomIn(unsent, person(name), 0);
      own.room.made((name === 'slow' ? 1 : 11) * MEGABYTE);
      return { ...own, destroy: vi.spyOn(own.response, 'destroy').mockReturnThis() };
    });
    const waiting = ['x', 'y', 'z'].map((name) => roomIn(unsent, person(name)).room.reserve());
    for (const one of waiting) one?.catch(() => {});
    vi.advanceTimersByTime(2_000);
    expect(made.map(({ destroy }) => destroy.mock.calls.length)).toEqual([0, 1, 0, 0]);
    made[1]?.end();
    await Promise.all(waiting);
    vi.advanceTimersByTime(5_000);
    expect(made.map(({ destroy }) => destroy.mock.calls.length)).toEqual([0, 1, 0, 0]);
  } finally {
    vi.useRealTimers();
  }
});
