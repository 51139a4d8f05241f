import type { GuildSettings } from '@guild-settings/contract';
import { type Declaration, DeclaredSettings, SPECIFIED_SETTINGS } from '@guild-settings/contract/settings';
import { describe, expect, it, test } from 'vitest';
import { changesOf, draftOf, edit, received, refused, saved, sent, undone, viewOf } from './draft.ts';
import { type DraftStorage, storeDraft, storedDraft } from './draft-store.ts';
import { TabStorage } from './kept-drafts.ts';
import { ModelledService } from './testing/modelled-service.ts';

describe('a draft', () => {
  const theirs = new ModelledService().now;
  const at = (revision: number, settings: Partial<GuildSettings>) => ({
    settings: { ...theirs.settings, ...settings },
    revision,
    upTo: revision,
    changedBy: {},
  });

  it('that the browser has kept is that of a setting which was renamed since then', () => {
    const rate = { kind: 'integer', min: 0, max: 9, default: 1, label: { 'en-US': 'Rate' } } as const;
    const open = (name: string, was?: string) => {
      const settings = { [name]: was === undefined ? rate : { ...rate, was } };
      const declared = new DeclaredSettings({ settings }, '1a2b3c4d');
      return { declared, theirs: at(1, declared.effective({}) as GuildSettings) };
    };
    const storage = newStorage();
    storeDraft(storage, 'draft', edit(draftOf(open('rate').theirs), 'custom.rate', 7));
    const renamed = open('xpRate', 'rate');
    const draft = storedDraft(storage, 'draft', renamed.theirs, renamed.declared);
    expect(changesOf(draft)).toEqual({ custom: { xpRate: 7 } });
  });

  it('that the browser has kept is in effect where its setting was widened since then, without a conflict', () => {
    const label = { 'en-US': 'A label' };
    const level = { kind: 'integer', min: 0, max: 9, label } as const;
    const open = (settings: Declaration['settings'], set: object) => {
      const declared = new DeclaredSettings({ ...(settings && { settings }) }, '1a2b3c4d');
      return { declared, theirs: at(1, declared.effective({ ...set }) as GuildSettings) };
    };
    const set = { 'custom.role': '1', 'custom.rows': [{ level: 1 }] };
    const storage = newStorage();
    const before = open(
      { role: { kind: 'role', label }, rows: { kind: 'table', max: 9, columns: { level }, label } },
      set,
    );
    const edited = edit(edit(draftOf(before.theirs), 'custom.role', '2'), 'custom.rows', [{ level: 2 }]);
    storeDraft(storage, 'draft', edited);
    const columns = { level, more: level } as const;
    const widened = open(
      { role: { kind: 'role', many: { max: 9 }, label }, rows: { kind: 'table', max: 9, columns, label } },
      set,
    );
    const draft = storedDraft(storage, 'draft', widened.theirs, widened.declared);
    expect(viewOf(draft).conflicts).toEqual([]);
    expect(changesOf(draft)).toEqual({ custom: { role: ['2'], rows: [{ level: 2, more: 0 }] } });
  });

  it('keeps what is typed while a change is on its way', () => {
    const sending = sent(edit(draftOf(theirs), 'prefix', '?'));
    const typedBack = edit(sending, 'prefix', '!');
    const draft = saved(typedBack, at(1, { prefix: '?' }));
    expect(viewOf(draft)).toMatchObject({ settings: { prefix: '!' }, conflicts: [] });
    expect(changesOf(draft)).toEqual({ prefix: '!' });
  });

  describe('whose answer arrives after a later change of the same setting', () => {
    const by = { actor: { kind: 'user', id: '1' }, at: '2026-11-22T08:00:00.000Z', revision: 2 } as const;
    const sending = received(sent(edit(draftOf(theirs), 'prefix', '?')), at(1, { prefix: '?' }));
    const overtaken = received(sending, { ...at(2, { prefix: '%' }), changedBy: { prefix: by } });
    const answer = at(1, { prefix: '?' });

    it('has no change without a decision: the later one is shown with its author', () => {
      const draft = saved(overtaken, answer);
      expect([changesOf(draft), draft.theirs.settings.prefix, draft.theirs.changedBy]).toEqual([
        {},
        '%',
        { prefix: by },
      ]);
    });

    it('names the author of a feature that was switched off again', () => {
      const switching = sent(edit(draftOf(theirs), 'feature:polls', true));
      const off = received(switching, { ...at(2, { enabledFeatures: [] }), changedBy: { enabledFeatures: by } });
      const draft = saved(off, at(1, { enabledFeatures: ['polls'] }));
      expect([changesOf(draft), draft.theirs.changedBy]).toEqual([{}, { enabledFeatures: by }]);
    });
  });

  describe('in which a feature is switched that others switch back', () => {
    const sending = sent(edit(draftOf(theirs), 'feature:polls', true));
    const made = received(sending, at(1, { enabledFeatures: ['polls'] }));
    const back = received(made, at(2, { enabledFeatures: ['reminders'] }));

    it('stays in conflict after a reload', () => {
      const kept = newStorage();
      storeDraft(kept, 'draft', refused(back));
      expect(viewOf(storedDraft(kept, 'draft', back.theirs, SPECIFIED_SETTINGS)).conflicts).toEqual(['feature:polls']);
    });
  });

  it('that was kept has the default of now, and leaves out what the application alone sets now', () => {
    const kept = newStorage();
    const label = { 'en-US': 'Rate' };
    const rate = { kind: 'integer', min: 0, max: 99, label } as const;
    const before = at(1, { custom: { rate: 7, premium: false } } as Partial<GuildSettings>);
    storeDraft(kept, 'draft', edit(edit(draftOf(before), 'custom.rate', 5, 'default'), 'custom.premium', true));
    const now: Declaration = {
      settings: { rate: { ...rate, default: 20 }, premium: { kind: 'switch', setBy: 'application', label } },
    };
    const draft = storedDraft(kept, 'draft', before, new DeclaredSettings(now, '1a2b3c4d'));
    expect(viewOf(draft).settings.custom).toEqual({ rate: 20, premium: false });
    expect(changesOf(draft)).toEqual({ custom: { rate: null } });
  });

  it('that resets a setting of the specification lets it follow the default, where settings are declared', () => {
    const before = at(1, { prefix: '$' });
    const reset = edit(draftOf(before), 'prefix', '!', 'default');
    expect(changesOf(reset)).toEqual({ prefix: null });
    const kept = newStorage();
    storeDraft(kept, 'draft', reset);
    const declared = new DeclaredSettings({ defaults: { prefix: '?' } }, '1a2b3c4d');
    expect(viewOf(storedDraft(kept, 'draft', before, declared)).settings.prefix).toBe('?');
    expect(changesOf(storedDraft(kept, 'draft', before, declared))).toEqual({ prefix: null });
    expect(changesOf(storedDraft(kept, 'draft', before, SPECIFIED_SETTINGS))).toEqual({ prefix: '!' });
  });

  it('that was kept has what was typed as a number and is none', () => {
    const kept = newStorage();
    const declared = new DeclaredSettings(
      { settings: { rate: { kind: 'integer', min: 0, max: 99, default: 7, label: { 'en-US': 'Rate' } } } },
      '1a2b3c4d',
    );
    const before = at(1, { custom: { rate: 7 } } as Partial<GuildSettings>);
    storeDraft(kept, 'draft', edit(draftOf(before), 'custom.rate', '5 or so'));
    expect(viewOf(storedDraft(kept, 'draft', before, declared)).settings.custom).toEqual({ rate: '5 or so' });
  });

  it('has no conflict between what is typed during an undo and the value that the undo restores', () => {
    const typed = edit(draftOf(at(1, { prefix: '?' })), 'prefix', '$');
    const restored = new Map([['prefix', '!']] as const);
    const draft = undone(typed, at(2, { prefix: '!' }), restored);
    expect(viewOf(draft)).toMatchObject({ settings: { prefix: '$' }, conflicts: [] });
    expect(viewOf(received(draft, at(3, { prefix: '%' }))).conflicts).toEqual(['prefix']);
    const overtaken = received(typed, at(3, { prefix: '%' }));
    expect(viewOf(undone(overtaken, at(2, { prefix: '!' }), restored)).conflicts).toEqual(['prefix']);
    expect(viewOf(undone(typed, at(3, { prefix: '%' }), restored)).conflicts).toEqual(['prefix']);
    const language = edit(typed, 'language', 'hi');
    expect(viewOf(undone(language, at(2, { prefix: '!', language: 'ja' }), restored)).conflicts).toEqual(['language']);
  });

  it('is the same draft after a record that it has already, as the first event of a guild is', () => {
    const draft = edit(draftOf(at(1, { prefix: '?' })), 'prefix', '$');
    expect(received(draft, at(1, { prefix: '?' }), 'always')).toBe(draft);
    expect(received(draft, at(2, { prefix: '?' }), 'always')).not.toBe(draft);
  });

  it('does not name the author of the value before as that of another value', () => {
    const by = { actor: { kind: 'user', id: '1' }, at: '2026-11-22T08:00:00.000Z', revision: 1 } as const;
    const changed = { ...at(1, { prefix: '?', beta: true }), changedBy: { prefix: by, beta: by } };
    const draft = received(received(draftOf(theirs), changed), at(2, { prefix: '$', beta: true }));
    expect(draft.theirs.changedBy).toEqual({ beta: by });
  });

  it('ignores an answer that a later one has overtaken', () => {
    const draft = received(draftOf(at(2, { prefix: '?' })), at(1, { prefix: '$' }));
    expect(viewOf(draft).settings.prefix).toBe('?');
  });

  it('takes over an older revision where the service says that it is the one of now', () => {
    const draft = refused(edit(draftOf(at(7, { prefix: '?' })), 'beta', true), at(2, { prefix: '$' }));
    expect(viewOf(draft).settings).toMatchObject({ prefix: '$', beta: true });
  });

  it.each([
    '{',
    '[]',
    '[["beta",{"mine":"yes","base":false}]]',
    '[["a",{"mine":true,"base":false}]]',
    '[["feature:a"]]',
  ])('begins anew where the browser has kept something else: %s', (text) => {
    const storage = { getItem: () => text, setItem: () => {}, removeItem: () => {} };
    expect(storedDraft(storage, 'draft', theirs, SPECIFIED_SETTINGS)).toEqual(draftOf(theirs));
  });
});

function newStorage(): DraftStorage {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  };
}

const refuse = () => {
  throw new DOMException('', 'SecurityError');
};

/** A browser storage with limited room. */
class Room {
  setItem(key: string, value: string): void {
    if (value.length > 3) throw new DOMException('', 'QuotaExceededError');
    Object.assign(this, { [key]: value });
  }
  getItem(key: string): string | null {
    return (this as Record<string, unknown>)[key] as string;
  }
  removeItem(key: string): void {
    delete (this as Record<string, unknown>)[key];
  }
}

test.each([
  ['that the browser refuses', refuse],
  ['that is null', () => null],
])('with a storage %s, values are in memory', (_, open) => {
  const storage = new TabStorage(open);
  expect(storage.getItem('a')).toBeNull();
  storage.setItem('a', '1');
  expect([storage.getItem('a'), storage.keys(), storage.isInMemory('a')]).toStrictEqual(['1', ['a'], true]);
  storage.removeItem('a');
  expect([storage.getItem('a'), storage.keys(), storage.isInMemory('a')]).toStrictEqual([null, [], false]);
});

test('a value for which there is no room is in memory, instead of the stored one before it', () => {
  const room = new Room();
  const storage = new TabStorage(() => room as unknown as Storage);
  storage.setItem('a', '1');
  expect([storage.getItem('a'), storage.isInMemory('a')]).toStrictEqual(['1', false]);
  storage.setItem('a', 'long');
  expect([storage.getItem('a'), storage.keys(), storage.isInMemory('a')]).toStrictEqual(['long', ['a'], true]);
  storage.setItem('a', '2');
  expect([storage.getItem('a'), storage.isInMemory('a'), room.getItem('a')]).toStrictEqual(['2', false, '2']);
});
