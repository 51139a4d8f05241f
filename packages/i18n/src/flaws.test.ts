import { AuditReason, GuildSettings, LANGUAGES } from '@guild-settings/contract';
import { CHANNEL_PERMISSION_NAMES, type ChannelDeclaration, DeclaredSettings } from '@guild-settings/contract/settings';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ambiguousText, channelNote, channelWarnings, reasonFlaw } from './flaws.ts';
import { flawsOf, wordsIn } from './testing/words.ts';

const anyCharacter = fc.oneof(
  fc.constantFrom(' ', 'a', '😀', '\u0000', '\u009f', '\ud800', '\u00a0', '\ufeff', '\u200d', 'क', '\u202e'),
  fc.string(),
);
const anyText = (around: number) =>
  fc.array(anyCharacter, { maxLength: around + 2 }).map((characters) => characters.join(''));

describe('the rules of the page', () => {
  it('are those of the service, for every text', () => {
    fc.assert(
      fc.property(
        anyText(20),
        fc.oneof(
          anyText(5),
          fc.integer({ min: 98, max: 102 }).map((length) => '😀'.repeat(length)),
        ),
        (prefix, announcement_channel) => {
          const settings = { prefix, announcement_channel };
          const refused = GuildSettings.pick({ prefix: true, announcement_channel: true }).safeParse(settings).error;
          const fields = new Set((refused?.issues ?? []).map(({ path }) => path[0]));
          expect(new Set(Object.keys(flawsOf(settings)))).toEqual(fields);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('are those of the service, for the reason of a change', () => {
    const long = fc.integer({ min: 511, max: 514 }).map((length) => '😀'.repeat(length));
    const reasons = fc.oneof(anyText(20), long).filter((reason) => reason !== '');
    fc.assert(
      fc.property(reasons, (reason) => {
        expect(reasonFlaw(reason) === undefined).toBe(AuditReason.safeParse(reason).success);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a channel of a setting', () => {
  const settingWith = (options: Partial<ChannelDeclaration>) => {
    const [setting] =
      new DeclaredSettings({
        settings: { x: { kind: 'channel', label: { 'en-US': 'X' }, ...options } },
      }).custom ?? [];
    if (setting === undefined) throw new Error('Expected a setting');
    return setting;
  };
  const TEXT = { type: 0, botPermissions: '0' };

  it.each([
    ['en-US', 'The bot lacks “View Channel” and “Add Reactions” here'],
    ['es-ES', 'Al bot le falta «Ver canal» y «Añadir reacciones» aquí'],
    ['hi', 'बॉट के पास यहाँ “चैनल देखें” और “रिएक्शन जोड़ें” परमिशन नहीं है'],
    ['ja', 'ボットにはここで次の権限がありません：「チャンネルを見る」、「リアクションの追加」'],
    ['ru', 'Боту не хватает здесь права: «Просматривать канал» и «Добавлять реакции»'],
  ] as const)('has a warning that names what is needed and missing in %s', (language, text) => {
    expect(channelNote(settingWith({ needs: ['AddReactions'] }), TEXT, wordsIn(language))).toBe(text);
  });

  it('has none where nothing is needed: in a list, with no needs, and where the bot may do all of it', () => {
    const shown = { name: '#x' };
    const mayReact = { type: 0, botPermissions: String((1n << 6n) | (1n << 10n)) };
    for (const [options, channel] of [
      [{ many: { max: 3 } }, TEXT],
      [{ needs: [] }, TEXT],
      [{}, { ...TEXT, type: 4 }],
      [{ needs: ['AddReactions'] }, mayReact],
    ] as const) {
      expect(channelWarnings(settingWith(options), channel, shown, wordsIn('en-US'))).toEqual([]);
    }
    expect(channelWarnings(settingWith({}), mayReact, { name: '#x', label: '#x' }, wordsIn('en-US'))).toEqual([
      '#x: The bot cannot write here: it lacks “Send Messages”',
      expect.stringContaining('Give the bot this permission'),
    ]);
  });

  it.each(LANGUAGES)('can need every permission of a channel, which has a name of its own in %s', (language) => {
    const words = wordsIn(language);
    const names = CHANNEL_PERMISSION_NAMES.map((name) => words.shared(`reference.permission.${name}`));
    expect(new Set(names).size).toBe(CHANNEL_PERMISSION_NAMES.length);
    expect(names.filter((name) => name.startsWith('reference.'))).toEqual([]);
  });
});

it.each([
  ['en-US', 'Could be 1500 or 1.5: write it so that only one is meant', 'Write Asia/Tokyo if that is what you mean'],
  [
    'ru',
    'Может означать 1500 или 1.5: напишите так, чтобы было однозначно',
    'Если имеется в виду Asia/Tokyo, напишите так',
  ],
  [
    'es-ES',
    'Puede ser 1500 o 1.5: escríbelo de forma que solo se entienda uno',
    'Si te refieres a Asia/Tokyo, escríbelo así',
  ],
  [
    'ja',
    '1500または1.5のどれを指すか分かりません。1つに決まるように入力してください',
    'Asia/Tokyo のことであれば、そのとおりに入力してください',
  ],
  ['hi', 'इसका मतलब 1500 या 1.5 हो सकता है: ऐसे लिखें कि एक ही मतलब निकले', 'अगर आपका मतलब Asia/Tokyo है, तो वही लिखें'],
] as const)(
  'in %s, a text of several meanings is explained, and one that need not be meant',
  (language, several, one) => {
    const words = wordsIn(language);
    expect([ambiguousText(['1500', '1.5'], words), ambiguousText(['Asia/Tokyo'], words)]).toStrictEqual([several, one]);
  },
);
