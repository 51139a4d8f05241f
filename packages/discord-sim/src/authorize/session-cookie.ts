import type { FastifyReply, FastifyRequest } from 'fastify';
import { record } from '../json.ts';
import { badInput } from '../protect-page.ts';
import { findPerson } from '../world/accounts.ts';
import type { User } from '../world/entities.ts';
import type { World } from '../world/world.ts';

const COOKIE = /(?:^|; *)discord-sim-person=([0-9]{17,20})(?:;|$)/;

/** Returns the user that this browser chose last; `null` for none, or one who does not exist here. */
export function lastPersonOf({ headers }: FastifyRequest, world: World): User | null {
  const id = COOKIE.exec(headers.cookie ?? '')?.[1];
  return id === undefined ? null : findPerson(world, id);
}

/** Makes the browser remember the chosen user until it is closed. A page of another site cannot send the cookie in a frame. */
export function rememberPerson(reply: FastifyReply, { id }: User, path: string): void {
  reply.header('set-cookie', `discord-sim-person=${id}; Path=${path}; HttpOnly; SameSite=Lax`);
}

/** @throws {PageRefusal} 400 when `personId` is not the id of a user who is no bot */
export function personIn(body: unknown, world: World): User {
  const { personId } = record(body);
  const person = typeof personId === 'string' ? findPerson(world, personId) : null;
  if (!person) throw badInput('personId', 'the id of a user', personId);
  return person;
}
