import { LIMITS } from '../limits.ts';
import type { DeclarationFlaws, Path } from './declaration-flaws.ts';
import { DECLARATION_LIMITS } from './declaration-limits.ts';
import { flawMessage } from './flaw-message.ts';
import { textFlaws } from './kinds/text-flaws.ts';
import { SPECIFIED } from './specified.ts';

const IDENTIFIER = /^[a-z][A-Za-z0-9_]{0,31}$/;

/** Names that every object has: a look-up of a name that is not declared would find them. */
const INHERITED: readonly string[] = Object.getOwnPropertyNames(Object.prototype);

/** Names that a record, or a command, has already. */
const TAKEN: readonly string[] = [...Object.keys(SPECIFIED), 'id', 'name', 'icon', 'custom', 'presence'];

/** Returns the flaw of a name; undefined: the name is valid. */
type NameRule = (name: string) => string | undefined;

export const settingName: NameRule = (name) =>
  TAKEN.includes(name) ? 'expected another name: guilds have a field of this name already' : groupName(name);

export const groupName: NameRule = (name) =>
  IDENTIFIER.test(name)
    ? notInherited(name)
    : 'expected a name of a small letter from a to z, then at most 31 letters, digits and underscores';

export const featureName: NameRule = (name) =>
  notInherited(name) ?? flawIn(name, { max: LIMITS.featureName, noLeadingSpace: false });

export const choiceName: NameRule = (name) =>
  notInherited(name) ?? flawIn(name, { max: DECLARATION_LIMITS.choiceName, noLeadingSpace: true });

const notInherited: NameRule = (name) =>
  INHERITED.includes(name) ? 'expected another name: every object has a property of this name' : undefined;

function flawIn(name: string, rules: { readonly max: number; readonly noLeadingSpace: boolean }): string | undefined {
  const [flaw] = textFlaws(name, { min: 1, noInvisible: true, ...rules });
  return flaw && flawMessage(flaw);
}

/** The rules for the members of a part. */
interface MemberRules<Checked> {
  /** The least number of members; 0 unless given. */
  readonly least?: number;
  readonly most: number;
  readonly noun: string;
  readonly nameRule: NameRule;
  /** Adds the flaws of one member, and returns it as it was checked. */
  readonly check: (path: Path, member: unknown) => Checked;
}

/** Adds the flaws in the number and the names of members, and in each of them. Returns them in their order. */
export function checkMembers<Checked>(
  flaws: DeclarationFlaws,
  path: Path,
  members: Readonly<Record<string, unknown>>,
  { least = 0, most, noun, nameRule, check }: MemberRules<Checked>,
): Record<string, Checked> {
  const entries = Object.entries(members);
  if (entries.length < least) flaws.add(path, `expected at least ${least} of the ${noun}, received none`);
  if (entries.length > most) flaws.add(path, `expected at most ${most} ${noun}, received ${entries.length}`);
  const checked = entries.map(([name, member]) => {
    const flaw = nameRule(name);
    if (flaw !== undefined) flaws.add([...path, name], flaw);
    return [name, check([...path, name], member)] as const;
  });
  return Object.fromEntries(checked);
}
