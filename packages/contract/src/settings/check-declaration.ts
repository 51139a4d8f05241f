import { oneOf, shown } from '../issues.ts';
import type { ProblemIssue } from '../problem.ts';
import { checkMembers, checkSetting, checkValue, featureName, groupName, settingName } from './check-setting.ts';
import type { Declaration } from './declaration.ts';
import { DeclarationFlaws, isObject, type Path } from './declaration-flaws.ts';
import { DECLARATION_LIMITS, Feature, Group, Parts } from './declaration-schemas.ts';
import { DeclaredSettings, SPECIFIED_SETTINGS } from './declared-settings.ts';
import { maxRecordBytes } from './record-bytes.ts';
import { maxBytes, type Setting } from './setting.ts';

export type CheckedDeclaration =
  | { readonly declaration: Declaration; readonly flaws?: never }
  | { readonly declaration?: never; readonly flaws: readonly ProblemIssue[] };

const ZONE = 'expected the name of a declared setting of the kind timeZone';

const GROUPS = { most: DECLARATION_LIMITS.groups, noun: 'groups', nameRule: groupName };
const SETTINGS = { most: DECLARATION_LIMITS.settings, noun: 'settings', nameRule: settingName };
const FEATURES = { most: DECLARATION_LIMITS.features, noun: 'features', nameRule: featureName };

/** Settings that are listed in a message about the size of records. */
const LARGEST = 5;

type Members = Readonly<Record<string, unknown>>;

/**
 * Checks a declaration of a team.
 * @param data the content of a file, of any type
 * @returns the declaration as plain data in declared order, or all of its flaws
 */
export function checkDeclaration(data: unknown): CheckedDeclaration {
  const flaws = new DeclarationFlaws();
  flaws.parse([], Parts, data);
  const [groups, settings, features, defaults] = ['groups', 'settings', 'features', 'defaults'].map((part) =>
    membersIn(data, part),
  );
  const checkedSettings = settings && checkSettings(flaws, settings, groups ?? {});
  const checked = {
    groups: groups && checkGroups(flaws, groups, settings ?? {}),
    settings: checkedSettings,
    features:
      features &&
      checkMembers(flaws, ['features'], features, {
        ...FEATURES,
        check: (path, feature) => flaws.parse(path, Feature, feature),
      }),
    defaults: defaults && checkDefaults(flaws, defaults),
  };
  if (flaws.all.length > 0) return { flaws: flaws.all };
  // Converts to plain data, without undefined fields.
  return { declaration: JSON.parse(JSON.stringify(checked)) as Declaration };
}

/** Returns the members of a part, or of a setting; undefined: none, or not an object. */
function membersIn(data: unknown, part: string): Members | undefined {
  const members = isObject(data) && Object.hasOwn(data, part) ? data[part] : undefined;
  return isObject(members) ? members : undefined;
}

function checkGroups(flaws: DeclarationFlaws, groups: Members, settings: Members) {
  return checkMembers(flaws, ['groups'], groups, {
    ...GROUPS,
    check: (path, group) => {
      const at = [...path, 'enabledBy'];
      const name = isObject(group) ? group.enabledBy : undefined;
      const enabler = typeof name === 'string' ? membersIn(settings, name) : undefined;
      if (typeof name === 'string' && enabler?.kind !== 'switch') {
        flaws.add(at, `expected the name of a declared switch, received ${shown(name)}`);
      }
      if (isCircular(String(path.at(-1)), groups, settings)) {
        flaws.add(at, 'expected a switch that does not depend on this group: while all are off, none could be used');
      }
      return flaws.parse(path, Group, group);
    },
  });
}

/**
 * Returns true if the switch of a group is in another group whose switch is, directly or indirectly, in this group. A
 * switch in the group that it enables is not circular: it stays usable.
 */
function isCircular(group: string, groups: Members, settings: Members): boolean {
  const passed = new Set<string>();
  let at = group;
  while (!passed.has(at)) {
    passed.add(at);
    const enabledBy = membersIn(groups, at)?.enabledBy;
    const next = typeof enabledBy === 'string' ? membersIn(settings, enabledBy)?.group : undefined;
    if (typeof next !== 'string' || next === at) return false;
    if (next === group) return true;
    at = next;
  }
  return false;
}

function checkSettings(flaws: DeclarationFlaws, settings: Members, groups: Members) {
  const sound: Setting[] = [];
  const checked = checkMembers(flaws, ['settings'], settings, {
    ...SETTINGS,
    check: (path, declared) => {
      const { declared: ordered, setting } = checkSetting(flaws, path, declared);
      if (setting !== undefined) sound.push(setting);
      const group = isObject(declared) ? declared.group : undefined;
      if (typeof group === 'string' && !Object.hasOwn(groups, group)) {
        const names = Object.keys(groups);
        const expected =
          names.length === 0 ? 'a group, of which none is declared' : `a declared group: ${oneOf(names)}`;
        flaws.add([...path, 'group'], `expected ${expected}, received ${shown(group)}`);
      }
      checkZones(flaws, path, declared, settings);
      checkFormerNames(flaws, path, settings);
      return ordered;
    },
  });
  checkSize(flaws, sound);
  return checked;
}

/** Adds a flaw for each undeclared time zone of the setting and of its columns. */
function checkZones(flaws: DeclarationFlaws, path: Path, declared: unknown, settings: Members): void {
  const zone = isObject(declared) && declared.kind === 'time' ? declared.zone : undefined;
  const isDeclared = typeof zone !== 'string' || membersIn(settings, zone)?.kind === 'timeZone';
  if (!isDeclared) flaws.add([...path, 'zone'], `${ZONE}, received ${shown(zone)}`);
  for (const [name, column] of Object.entries(membersIn(declared, 'columns') ?? {})) {
    checkZones(flaws, [...path, 'columns', name], column, settings);
  }
}

/** Adds the flaws of a setting's former names: they must not be names or former names of other settings. */
function checkFormerNames(flaws: DeclarationFlaws, path: Path, settings: Members): void {
  const formerNames = (name: string): readonly unknown[] => [membersIn(settings, name)?.was ?? []].flat();
  const own = String(path.at(-1));
  const isList = Array.isArray(membersIn(settings, own)?.was);
  for (const [at, former] of formerNames(own).entries()) {
    if (typeof former !== 'string') continue;
    const other = Object.keys(settings).find((name) => name !== own && formerNames(name).includes(former));
    const isRepeated = formerNames(own).indexOf(former) < at;
    const flaw = Object.hasOwn(settings, former)
      ? `expected a name that no setting has now, received ${shown(former)}`
      : other === undefined
        ? isRepeated
          ? 'expected each name once'
          : settingName(former)
        : `expected a name that no other setting had, received ${shown(former)}, which is also a former name of ${other}`;
    if (flaw !== undefined) flaws.add([...path, 'was', ...(isList ? [at] : [])], flaw);
  }
}

/** Adds the flaw of a declaration whose largest record is too large, judged by the settings with known values. */
function checkSize(flaws: DeclarationFlaws, sound: readonly Setting[]): void {
  const settings = Object.fromEntries(sound.map(({ name, declared }) => [name, declared]));
  const bytes = maxRecordBytes(new DeclaredSettings({ settings }));
  const excess = bytes - DECLARATION_LIMITS.recordBytes;
  if (excess <= 0) return;
  const largest = [...sound].sort((one, other) => maxBytes(other) - maxBytes(one)).slice(0, LARGEST);
  const list = largest.map((setting) => `${setting.name} (${maxBytes(setting)})`).join(', ');
  flaws.add(
    ['settings'],
    `expected records of at most ${DECLARATION_LIMITS.recordBytes} bytes, but the largest possible one has ${bytes}: ` +
      `lower max of some settings by ${excess} bytes in total. The largest are ${list}`,
  );
}

function checkDefaults(flaws: DeclarationFlaws, defaults: Members): Members {
  for (const setting of SPECIFIED_SETTINGS.all) {
    const value = defaults[setting.name];
    if (Object.hasOwn(defaults, setting.name) && value !== undefined) {
      checkValue(flaws, ['defaults', setting.name], setting, value);
    }
  }
  return defaults;
}
