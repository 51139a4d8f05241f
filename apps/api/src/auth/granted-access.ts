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

/** The levels of a list that cover a level of access. Only managers may do all else. */
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

/** The subjects that a person is, and until when a write may rely on it, in monotonic milliseconds. */
type Subjects = Pick<GuildAccess, 'untilMs'> & { readonly subjects: readonly AccessSubject[] };

/** Decides what people who manage a guild by no permission of theirs may do there, by its access list. */
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
   * Returns a guild if its access list lets a person have a level.
   * @throws ProblemError not-guild-manager, insufficient-access; what {@link MemberRoles.of} throws where a role decides
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
   * Returns a guild that lets a person in, with the highest level of theirs.
   * @throws ProblemError not-guild-manager, and what {@link MemberRoles.of} throws where a role decides
   */
  async open(person: CheckedPerson, id: GuildId): Promise<OpenGuild> {
    const found = await this.#find(person, id, () => true);
    if (found === undefined) throw new ProblemError('not-guild-manager');
    return found;
  }

  /**
   * Returns the guilds that a person does not manage and that let them in, in Discord's order. Roles are looked up for a few of
   * them, one after another: others are found when they are opened.
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

  /** Looks for the highest level of a person, by their roles if these may be looked up; undefined: they are not let in. */
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
        // The level that they have by themselves is known.
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
    // A bot that has left is not shown the members.
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

/** Returns the guild of a person whom its access list lets in. Beside the check of managers, nothing else grants access. */
function guildFor<Level extends AccessLevel>(
  { principal }: CheckedPerson,
  id: GuildId,
  subjects: Subjects,
): GuildAccess<Level> {
  return { id, principal, profile: undefined, ...subjects } as unknown as GuildAccess<Level>;
}
