import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Principal } from '../../auth/principal.ts';
import { ResponseRoom, UnsentResponses } from './unsent-responses.ts';

const MEGABYTE = 1_024 * 1_024;

const person = (userId: string): Principal => ({
  kind: 'user',
  userId,
  managedGuilds: new Map(),
  otherGuilds: new Map(),
});
const ALICE = person('1');
const BOB = person('2');

/** A response on a connection of its own, and its room. */
function roomIn(unsent: UnsentResponses, maxBytes = 2 * MEGABYTE) {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const room = new ResponseRoom(unsent, response, { maxBytes, clientNetwork: () => '127.0.0.1' });
  return { response, room, end: () => response.emit('close') };
}

/** Returns whether a promise is still pending once everything else has had its turn. */
async function isPending(promise: Promise<unknown> | undefined): Promise<boolean> {
  const turn = new Promise((resolve) => setImmediate(() => resolve('turn')));
  return (await Promise.race([promise?.then(() => 'done'), turn])) === 'turn';
}

describe('the responses of a person that are not sent', () => {
  test('have room up to four megabytes, and the next one waits until one of them is sent', async () => {
    const unsent = new UnsentResponses();
    const [first, second, third] = [roomIn(unsent), roomIn(unsent), roomIn(unsent)];
    await first.room.reserve(ALICE);
    await second.room.reserve(ALICE);
    const waiting = third.room.reserve(ALICE);
    expect(await isPending(waiting)).toBe(true);
    await roomIn(unsent).room.reserve(BOB);
    second.end();
    await waiting;
  });

  test('count with their bytes once they are made', async () => {
    const unsent = new UnsentResponses();
    const [first, second, third] = [roomIn(unsent), roomIn(unsent), roomIn(unsent)];
    await first.room.reserve(ALICE);
    await second.room.reserve(ALICE);
    const waiting = third.room.reserve(ALICE);
    first.room.made(100);
    await waiting;
  });

  test('count also without a reservation, and a response alone has room however large it is', async () => {
    const unsent = new UnsentResponses();
    const first = roomIn(unsent, 0);
    await first.room.reserve(ALICE);
    first.room.made(3 * MEGABYTE);
    const second = roomIn(unsent);
    const waiting = second.room.reserve(ALICE);
    expect(await isPending(waiting)).toBe(true);
    first.end();
    await waiting;
    second.end();
    await roomIn(unsent, 40 * MEGABYTE).room.reserve(ALICE);
  });

  test('are reserved once for all calls of a batch', async () => {
    const unsent = new UnsentResponses();
    const { room } = roomIn(unsent, 4 * MEGABYTE);
    await Promise.all([room.reserve(ALICE), room.reserve(ALICE), room.reserve(ALICE)]);
  });

  test('wait no longer for a client that is gone', async () => {
    const unsent = new UnsentResponses();
    const [first, second, third] = [roomIn(unsent, 4 * MEGABYTE), roomIn(unsent), roomIn(unsent)];
    await first.room.reserve(ALICE);
    const gone = second.room.reserve(ALICE);
    second.response.req.socket.emit('close');
    await expect(gone).rejects.toMatchObject({ slug: 'rate-limited' });
    first.end();
    await third.room.reserve(ALICE);
  });
});

test('the responses of all people together have room for 32 megabytes', async () => {
  const unsent = new UnsentResponses();
  const rooms = Array.from({ length: 8 }, (_, index) => ({ ...roomIn(unsent, 4 * MEGABYTE), of: person(`1${index}`) }));
  await Promise.all(rooms.map(({ room, of }) => room.reserve(of)));
  const waiting = roomIn(unsent).room.reserve(BOB);
  expect(await isPending(waiting)).toBe(true);
  rooms[0]?.end();
  await waiting;
});
