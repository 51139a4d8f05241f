import type { RecordSettings } from '@guild-settings/contract';
import {
  type Declaration,
  DeclaredSettings,
  type SettingDeclaration,
  SPECIFIED_SETTINGS,
} from '@guild-settings/contract/settings';
import { SHARED_TEXTS } from '@guild-settings/i18n/texts';
import { createInstance } from 'i18next';
import { describe, expect, test } from 'vitest';
import { type Draft, draftOf, edit, received } from '../draft/draft.ts';
import { featureField, theirsOf } from '../draft/fields.ts';
import english from '../i18n/locales/en-US/settings.json';
import japanese from '../i18n/locales/ja/settings.json';
import { type Address, addressedIn, groupsOf, rowsOf } from './groups.ts';
import { changedByOthersAt, changedIn, isSwitchedOn, isWrong, search } from './section-state.ts';
import { inOrderOfPage, type ValueWords } from './value-text.ts';

const GUILD = '197038439483310086';

/** The specified settings but the features, in the order of the page. */
const SPECIFIED = inOrderOfPage(SPECIFIED_SETTINGS).flatMap(({ name }) => (name === 'enabledFeatures' ? [] : name));

const fillers = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index): [string, SettingDeclaration] => [
      `filler${index}`,
      { kind: 'switch', label: { 'en-US': `Filler ${index}` } },
    ]),
  );

/** A declaration with the given number of settings, seven of which are named here. */
const declare = (count: number): Declaration => ({
  groups: {
    welcome: { label: { 'en-US': 'Welcome', ja: 'ようこそ' }, enabledBy: 'welcomeOn' },
    levels: { label: { 'en-US': 'Levels' }, enabledBy: 'welcomeOn' },
    empty: { label: { 'en-US': 'Empty' } },
    features: { label: { 'en-US': 'Own features' } },
  },
  settings: {
    welcomeOn: { kind: 'switch', group: 'welcome', label: { 'en-US': 'Greet new members' } },
    message: {
      kind: 'text',
      max: 100,
      default: 'Hi',
      group: 'welcome',
      label: { 'en-US': 'Message', ja: 'メッセージ' },
      description: { 'en-US': 'Posted in a channel.' },
    },
    channel: { kind: 'channel', group: 'welcome', label: { 'en-US': 'Channel' } },
    rate: {
      kind: 'integer',
      min: 0,
      max: 100,
      default: 5,
      was: 'oldRate',
      group: 'levels',
      label: { 'en-US': 'XP rate' },
    },
    beta: { kind: 'switch', group: 'levels', label: { 'en-US': 'Double XP' } },
    polls: { kind: 'switch', group: 'features', label: { 'en-US': 'Polls' } },
    locked: { kind: 'switch', setBy: 'application', label: { 'en-US': 'Premium' } },
    ...fillers(count - 7),
  },
});

function open({ count = 12, language = 'en-US' as 'en-US' | 'ja', declaration = declare(count) } = {}) {
  const i18n = createInstance({
    lng: language,
    resources: { [language]: { shared: SHARED_TEXTS[language], settings: language === 'ja' ? japanese : english } },
    ns: ['shared', 'settings'],
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  void i18n.init();
  const settings = new DeclaredSettings(declaration, 'aaaaaaaa');
  const words: ValueWords = {
    settings,
    language,
    shared: i18n.getFixedT(language, 'shared'),
    t: i18n.getFixedT(language, 'settings'),
    channelText: String,
    roleText: String,
    featureText: String,
    personText: String,
    read: undefined,
    unread: undefined,
  };
  const groups = groupsOf(words);
  const shown = (address: Address) => {
    const { section, setting } = addressedIn(groups, address);
    return [section.path, setting?.name];
  };
  const draft = draftOf(theirsOf({ guild: GUILD, ...settings.effective({}) } as unknown as RecordSettings, 1));
  const section = (path: string | undefined) => {
    const found = groups.sections.find((one) => one.path === path);
    if (found === undefined) throw new Error(`Expected the section ${path}`);
    return found;
  };
  const setting = (field: string) => {
    const found = settings.byField.get(field);
    if (found === undefined) throw new Error(`Expected the setting ${field}`);
    return found;
  };
  const wrong = (of: Draft, issues: Parameters<typeof isWrong>[2] = []) =>
    settings.all.filter((one) => isWrong(one, of, issues, { guild: GUILD, words })).map(({ name }) => name);
  const found = (query: string) => search(groups, query, words).map(({ setting: { name } }) => name);
  return { words, groups, shown, draft, section, setting, wrong, found };
}

describe('the groups of settings', () => {
  test('are pages from twelve declared settings on', () => {
    expect([11, 12].map((count) => open({ count }).groups.isPaged)).toEqual([false, true]);
    expect(groupsOf({ ...open().words, settings: new DeclaredSettings() }).isPaged).toBe(false);
  });

  test('are those with settings, with the others before them and the features after them', () => {
    const { groups } = open();
    const names = groups.sections.map(({ path, settings }) => [path, settings.map(({ name }) => name)]);
    expect(names).toEqual([
      [undefined, [...SPECIFIED, 'locked', ...Object.keys(fillers(5))]],
      ['welcome', ['welcomeOn', 'message', 'channel']],
      ['levels', ['rate', 'beta']],
      ['features', ['polls']],
      ['enabled-features', ['enabledFeatures']],
    ]);
  });

  test('have the specified settings in the order of their controls: typed, chosen, switched', () => {
    const typedFirst = ['prefix', 'language', 'announcement_channel', 'beta'];
    expect(SPECIFIED.filter((name) => typedFirst.includes(name))).toEqual(typedFirst);
  });

  test('have their own switch in the head alone, and the switch of another group beside it', () => {
    const { section } = open();
    const names = ['welcome', 'levels'].map((path) => [
      section(path).enabledBy?.name,
      rowsOf(section(path)).map(({ name }) => name),
    ]);
    expect(names).toEqual([
      ['welcomeOn', ['message', 'channel']],
      ['welcomeOn', ['rate', 'beta']],
    ]);
  });

  test('are named in the language of the reader', () => {
    const { section, groups } = open({ language: 'ja' });
    expect([groups.sections[0]?.heading, section('welcome').heading, section('levels').heading]).toEqual([
      '全般',
      'ようこそ',
      'Levels',
    ]);
  });
});

describe('an address', () => {
  const cases: readonly [string, Address, unknown][] = [
    ['of the guild', {}, [undefined, undefined]],
    ['of the guild, with an empty hash', { hash: '' }, [undefined, undefined]],
    ['of a group', { group: 'levels' }, ['levels', undefined]],
    ['of a group that is gone', { group: 'gone' }, [undefined, undefined]],
    ['of a group without settings', { group: 'empty' }, [undefined, undefined]],
    ['of a name that objects have', { group: 'constructor', setting: 'toString' }, [undefined, undefined]],
    ['of a group that is called like a part of the page', { group: 'features' }, ['features', undefined]],
    ['of the features', { group: 'enabled-features' }, ['enabled-features', undefined]],
    ['of a setting', { setting: 'rate' }, ['levels', 'rate']],
    ['of a setting by its field', { setting: 'custom.rate' }, ['levels', 'rate']],
    ['of a setting that has moved to another group', { group: 'welcome', setting: 'rate' }, ['levels', 'rate']],
    ['of a setting that is gone, in a group', { group: 'welcome', setting: 'gone' }, ['welcome', undefined]],
    ['of a specified setting', { setting: 'prefix' }, [undefined, 'prefix']],
    ['of a declared setting that is called like a specified one', { setting: 'custom.beta' }, ['levels', 'beta']],
    ['of a specified setting with the name of a declared one', { setting: 'beta' }, [undefined, 'beta']],
    ['of a setting by a name that it had', { setting: 'oldRate' }, ['levels', 'rate']],
    ['of a setting by a field that it had', { setting: 'custom.oldRate' }, ['levels', 'rate']],
    ['of the features as a setting', { setting: 'enabledFeatures' }, ['enabled-features', 'enabledFeatures']],
    ['with the name of a setting as its hash', { hash: 'message' }, ['welcome', 'message']],
    ['with the name of a section as its hash', { hash: 'group-levels' }, ['levels', undefined]],
  ];

  test.each(cases)('%s leads to what it names, or to the first page', (_, address, expected) => {
    expect(open().shown(address)).toEqual(expected);
  });
});

describe('the search', () => {
  test.each([
    ['rate', ['rate']],
    ['xp  RATE', ['rate']],
    ['posted', ['message']],
    ['welcomeOn', ['welcomeOn']],
    ['nothing like it', []],
    // A label takes precedence over a description, and both over the name of a group.
    ['channel', ['announcement_channel', 'channel', 'message']],
    ['welcome', ['welcomeOn', 'message', 'channel']],
  ])('for "%s" finds settings by labels, descriptions, names and groups', (query, names) => {
    expect(open().found(query)).toEqual(names);
  });

  test('is in the language of the reader', () => {
    const { found } = open({ language: 'ja' });
    expect([found('メッセージ'), found('ようこそ'), found('接頭')]).toEqual([
      ['message'],
      ['welcomeOn', 'message', 'channel'],
      [],
    ]);
  });
});

describe('the marks of a group', () => {
  test('count settings with unsaved changes, the features once', () => {
    const { draft, section } = open();
    const edited = edit(edit(draft, 'custom.message', 'Hello'), 'custom.channel', GUILD);
    const switched = edit(edit(edited, featureField('a'), true), featureField('b'), true);
    const counts = ['welcome', 'levels', 'enabled-features'].map((path) => changedIn(section(path), switched));
    expect(counts).toEqual([2, 0, 1]);
  });

  test('say whether its switch is on, as the person has it', () => {
    const { draft, section } = open();
    const on = edit(draft, 'custom.welcomeOn', true);
    expect([draft, on].map((one) => isSwitchedOn(section('levels'), one))).toEqual([false, true]);
    expect(isSwitchedOn(section(undefined), on)).toBe(undefined);
  });

  test('name flaws of what was changed, refusals of the service, and conflicts', () => {
    const { draft, wrong } = open();
    const flawed = edit(draft, 'custom.rate', 101);
    expect(wrong(flawed)).toEqual(['rate']);
    expect(wrong(edit(draft, 'custom.rate', 'abc'))).toEqual(['rate']);
    const issues = [{ path: ['custom', 'channel'], message: 'no' }] as never;
    expect(wrong(flawed, issues)).toEqual(['channel', 'rate']);
    const { settings } = draft.theirs;
    const others = { ...settings, custom: { ...settings.custom, message: 'Theirs' } } as RecordSettings;
    expect(wrong(received(edit(draft, 'custom.message', 'Mine'), theirsOf(others, 2)))).toEqual(['message']);
  });

  test('do not name a value that was stored before limits were narrowed', () => {
    const { draft, wrong } = open();
    const { settings } = draft.theirs;
    const stored = { ...settings, custom: { ...settings.custom, rate: 300 } } as RecordSettings;
    expect(wrong(draftOf(theirsOf(stored, 2)))).toEqual([]);
  });

  test('name a renamed setting, whose value and edits have the name of now', () => {
    const { draft, setting, section, wrong } = open();
    expect([setting('custom.oldRate').name, setting('custom.oldRate').field]).toEqual(['rate', 'custom.oldRate']);
    const flawed = edit(draft, 'custom.rate', 101);
    expect([wrong(flawed), changedIn(section('levels'), flawed)]).toEqual([['rate'], 1]);
    expect(wrong(draft, [{ path: ['custom', 'oldRate'], message: 'no' }] as never)).toEqual(['rate']);
  });

  test('have the newest change of others in it', () => {
    const { draft, section } = open();
    const by = (revision: number) => ({ actor: { kind: 'user', id: '1' } as const, at: '', revision });
    const changedBy = { 'custom.message': by(4), 'custom.channel': by(7), prefix: by(9) };
    const changed = { ...draft, theirs: { ...draft.theirs, changedBy } };
    expect(['welcome', 'levels'].map((path) => changedByOthersAt(section(path), changed))).toEqual([7, 0]);
  });
});
