import { type AccessSubject, type GuildId, type GuildProfile, ProblemError } from '@guild-settings/contract';
import type { Principal } from './principal.ts';

declare const viewed: unique symbol;
declare const edited: unique symbol;
declare const managed: unique symbol;
declare const owned: unique symbol;

interface ViewedGuild {
  readonly [viewed]: true;
  readonly id: GuildId;
  readonly principal: Principal;
  /** Name and icon from the user's own guild list if they manage the guild; otherwise undefined. */
  readonly profile: GuildProfile | undefined;
  /** Subjects of the access list that the caller matches; undefined: a manager, or the application. */
  readonly subjects?: readonly AccessSubject[];
  /** Until when a write may rely on the roles among them, in monotonic milliseconds; absent: no roles. */
  readonly untilMs?: number;
}

interface EditedGuild extends ViewedGuild {
  readonly [edited]: true;
}

interface ManagedGuild extends EditedGuild {
  readonly [managed]: true;
}

interface Guilds {
  readonly view: ViewedGuild;
  readonly edit: EditedGuild;
  readonly manage: ManagedGuild;
}

/** A level of access to a guild: read it, change its settings, or do everything except erase it. */
export type AccessLevel = keyof Guilds;

/**
 * A guild that the caller may use at a level or above. Functions that read or change a guild take a `GuildAccess`
 * instead of an id, and only the permission check returns one, so code without the check does not compile.
 */
export type GuildAccess<Level extends AccessLevel = 'view'> = Guilds[Level];

/** A guild that the caller may erase. Only {@link authorizeOwner} returns one. */
export interface OwnedGuild extends GuildAccess<'manage'> {
  readonly [owned]: true;
}

export function authorizeManager(principal: Principal, id: GuildId): GuildAccess<'manage'> {
  const managed = managedBy(principal, id);
  if (managed === undefined) throw new ProblemError('not-guild-manager');
  return managed;
}

export function managedBy(principal: Principal, id: GuildId): GuildAccess<'manage'> | undefined {
  switch (principal.kind) {
    case 'application':
      return { id, principal, profile: undefined } as GuildAccess<'manage'>;
    case 'user': {
      const found = principal.managedGuilds.get(id);
      return found && ({ id, principal, profile: found.profile } as GuildAccess<'manage'>);
    }
  }
}

export function authorizeOwner(principal: Principal, id: GuildId): OwnedGuild {
  const isOwner = principal.kind === 'application' || principal.managedGuilds.get(id)?.isOwner === true;
  if (!isOwner) throw new ProblemError('not-guild-owner');
  return authorizeManager(principal, id) as OwnedGuild;
}
