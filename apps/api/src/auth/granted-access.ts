import {
  type AccessEntry,
  type AccessSubject,
  type GrantedLevel,
  type GuildId,
  type GuildLevel,
  ProblemError,
  roleSubject,
  userSubject,
} from '@guild-settings/contract';
import type { Store } from '../store/store.ts';
import type { AccessLevel, GuildAccess } from './guild-access.ts';
import type { CheckedPerson, MemberRoles } from './member-roles.ts';

/** The levels of an access list entry that cover a level of access. Everything else is for managers only. */
const COVERING = { view: ['editor', 'viewer'], edit: ['editor'], manage: [] } as const satisfies Record<
  AccessLevel,
  readonly GrantedLevel[]
>;

export type OpenGuild = GuildAccess<'view'> & { readonly level: GuildLevel };

const MAX_LOOKUPS = 10;

export function covers(
  entries: readonly AccessEntry[] | null,
  subjects: readonly AccessSubject[],
  level: AccessLevel,
): boolean {
  const levels: readonly string[] = COVERING[level];
  return entries?.some((entry) => levels.includes(entry.level) && subjects.includes(entry.subject)) ?? false;
}

interface ListFor {
  readonly entries: readonly AccessEntry[] | null;
  readonly hasRoles: boolean;
}

/** The subjects that a person matches, and until when a write may rely on them, in monotonic milliseconds. */
type Subjects = Pick<GuildAccess, 'untilMs'> & { readonly subjects: readonly AccessSubject[] };

/** Decides by the access list what people may do in a guild that they do not manage. */
export class GrantedAccess {
  readonly #store: Pick<Store, 'read'>;
  readonly #roles: MemberRoles;

  constructor(store: Pick<Store, 'read'>, roles: MemberRoles) {
    this.#store = store;
    this.#roles = roles;
  }

  knowsRoles(scope: string): boolean {
    return this.#roles.areKnown(scope);
  }

  /**
   * Returns a guild if its access list grants a person a level.
   * @throws ProblemError not-guild-manager, insufficient-access; and if a role decides, the errors of
   * {@link MemberRoles.of}
   */
  async authorize<Level extends AccessLevel>(
    level: Level,
    person: CheckedPerson,
    id: GuildId,
  ): Promise<GuildAccess<Level>> {
    const { entries, hasRoles } = await this.#listFor(person, id);
    let found: Subjects = ownSubject(person);
    const isOpen = () => !covers(entries, found.subjects, level);
    if (isOpen() && hasRoles) found = await this.#subjectsOf(person, id, level === 'view');
    if (isOpen())
      throw new ProblemError(covers(entries, found.subjects, 'view') ? 'insufficient-access' : 'not-guild-manager');
    return guildFor(person, id, found);
  }

  /**
   * Returns a guild whose access list includes a person, with their highest level.
   * @throws ProblemError not-guild-manager, and if a role decides, the errors of {@link MemberRoles.of}
   */
  async open(person: CheckedPerson, id: GuildId): Promise<OpenGuild> {
    const found = await this.#find(person, id, () => true);
    if (found === undefined) throw new ProblemError('not-guild-manager');
    return found;
  }

  /**
   * Returns the guilds whose access lists include a person who does not manage them, in Discord's order. Roles are
   * looked up for a few guilds, one after another; other guilds are found when they are opened.
   */
  async list(person: CheckedPerson): Promise<readonly OpenGuild[]> {
    const ids = [...person.principal.otherGuilds.keys()];
    const lists = await Promise.all(ids.map((id) => this.#listFor(person, id)));
    let lookups = 0;
    const mayLookUp = (id: GuildId) => {
      if (this.#roles.has(person, id)) return true;
      lookups += 1;
      return lookups <= MAX_LOOKUPS;
    };
    const found: OpenGuild[] = [];
    for (const [at, id] of ids.entries()) {
      if (lists[at]?.entries == null) continue;
      const guild = await this.#find(person, id, () => mayLookUp(id), lists[at]).catch(() => undefined);
      if (guild !== undefined) found.push(guild);
    }
    return found;
  }

  /** Finds the highest level of a person, using their roles if these may be looked up; undefined: no access. */
  async #find(
    person: CheckedPerson,
    id: GuildId,
    mayLookUp: () => boolean,
    known?: ListFor,
  ): Promise<OpenGuild | undefined> {
    const { entries, hasRoles } = known ?? (await this.#listFor(person, id));
    let found: Subjects = ownSubject(person);
    if (!covers(entries, found.subjects, 'edit') && hasRoles && mayLookUp()) {
      found = await this.#subjectsOf(person, id, true).catch((error: unknown) => {
        // An entry for the user decides without their roles.
        if (covers(entries, found.subjects, 'view')) return found;
        throw error;
      });
    }
    const level = (['editor', 'viewer'] as const).find((one) =>
      covers(entries, found.subjects, one === 'editor' ? 'edit' : 'view'),
    );
    return level && { level, ...guildFor<'view'>(person, id, found) };
  }

  async #listFor({ principal }: CheckedPerson, id: GuildId): Promise<ListFor> {
    const stored = principal.otherGuilds.has(id) ? await this.#store.read(id) : null;
    const entries = stored?.access ?? null;
    // A bot that has left cannot read the members.
    const hasRoles =
      stored?.presence !== 'left' && entries?.some(({ subject }) => subject.startsWith('role:')) === true;
    return { entries, hasRoles };
  }

  async #subjectsOf(person: CheckedPerson, id: GuildId, allowStale: boolean): Promise<Subjects> {
    const { ids, untilMs } = await this.#roles.of(person, id, { allowStale });
    return { subjects: [...ownSubject(person).subjects, ...ids.map(roleSubject)], untilMs };
  }
}

function ownSubject({ principal }: CheckedPerson): Subjects {
  return { subjects: [userSubject(principal.userId)] };
}

/**
 * Returns the guild of a person who is on its access list. Apart from the manager check, only this function grants
 * access.
 */
function guildFor<Level extends AccessLevel>(
  { principal }: CheckedPerson,
  id: GuildId,
  subjects: Subjects,
): GuildAccess<Level> {
  return { id, principal, profile: undefined, ...subjects } as unknown as GuildAccess<Level>;
}
