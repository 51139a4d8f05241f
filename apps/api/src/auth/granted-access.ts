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

/** A guild that the caller may read, and what they may do there. */
export type OpenGuild = GuildAccess<'view'> & { readonly level: GuildLevel };

/** Look-ups of roles at Discord for one list of guilds. */
const MAX_LOOKUPS = 10;

/** Returns whether an access list lets one of some subjects have a level. */
export function covers(
  entries: readonly AccessEntry[] | null,
  subjects: readonly AccessSubject[],
  level: AccessLevel,
): boolean {
  const levels: readonly string[] = COVERING[level];
  return entries?.some((entry) => levels.includes(entry.level) && subjects.includes(entry.subject)) ?? false;
}

/** Decides what people who manage a guild by no permission of theirs may do there, by its access list. */
export class GrantedAccess {
  readonly #store: Pick<Store, 'read'>;
  readonly #roles: MemberRoles;

  constructor(store: Pick<Store, 'read'>, roles: MemberRoles) {
    this.#store = store;
    this.#roles = roles;
  }

  /** Returns whether entries of roles can be decided for tokens with these scopes. */
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
    const entries = await this.#entriesFor(person, id);
    let subjects = [userSubject(person.principal.userId)];
    const isOpen = () => !covers(entries, subjects, level);
    if (isOpen() && hasRoles(entries)) subjects = await this.#subjectsOf(person, id);
    if (isOpen())
      throw new ProblemError(covers(entries, subjects, 'view') ? 'insufficient-access' : 'not-guild-manager');
    return guildFor(person, id, subjects);
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
   * them: the others are found when they are opened.
   */
  async list(person: CheckedPerson): Promise<readonly OpenGuild[]> {
    let lookups = 0;
    const mayLookUp = (id: GuildId) => {
      if (this.#roles.has(person, id)) return true;
      lookups += 1;
      return lookups <= MAX_LOOKUPS;
    };
    const ids = [...person.principal.otherGuilds.keys()];
    const found = await Promise.all(
      ids.map((id) => this.#find(person, id, () => mayLookUp(id)).catch(() => undefined)),
    );
    return found.filter((guild) => guild !== undefined);
  }

  /** Looks for the highest level of a person, by their roles if these may be looked up; undefined: they are not let in. */
  async #find(person: CheckedPerson, id: GuildId, mayLookUp: () => boolean): Promise<OpenGuild | undefined> {
    const entries = await this.#entriesFor(person, id);
    let subjects = [userSubject(person.principal.userId)];
    if (!covers(entries, subjects, 'edit') && hasRoles(entries) && mayLookUp())
      subjects = await this.#subjectsOf(person, id);
    const level = (['editor', 'viewer'] as const).find((one) =>
      covers(entries, subjects, one === 'editor' ? 'edit' : 'view'),
    );
    return level && { level, ...guildFor<'view'>(person, id, subjects) };
  }

  /** Returns the access list of a guild that a person is a member of; null: none, or the person is no member. */
  async #entriesFor({ principal }: CheckedPerson, id: GuildId): Promise<readonly AccessEntry[] | null> {
    return principal.otherGuilds.has(id) ? ((await this.#store.read(id))?.access ?? null) : null;
  }

  async #subjectsOf(person: CheckedPerson, id: GuildId): Promise<AccessSubject[]> {
    return [userSubject(person.principal.userId), ...(await this.#roles.of(person, id)).map(roleSubject)];
  }
}

/** Returns the guild of a person whom its access list lets in. Beside the check of managers, nothing else grants access. */
function guildFor<Level extends AccessLevel>(
  { principal }: CheckedPerson,
  id: GuildId,
  subjects: readonly AccessSubject[],
): GuildAccess<Level> {
  return { id, principal, profile: undefined, subjects } as unknown as GuildAccess<Level>;
}

function hasRoles(entries: readonly AccessEntry[] | null): boolean {
  return entries?.some(({ subject }) => subject.startsWith('role:')) ?? false;
}
