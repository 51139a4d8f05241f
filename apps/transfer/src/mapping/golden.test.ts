import { SPECIFIED_SETTINGS } from '@guild-settings/contract';
import { expect, test } from 'vitest';
import { mapEntry } from './map-entry.ts';
import { mappingOf, parseKeyPattern } from './mapping.ts';

const GUILD = '197038439483310086';
const CHANNEL = '381870553235193857';

/** Values of every type, and values that only one setting accepts. */
const EVERYWHERE = [null, 0, 1, 5, -1.5, true, false, '', ' ', 'text', [], ['a'], ['a', 1], {}, { a: true }, { a: 1 }];
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  prefix: [
    '?',
    ' !',
    'a\u0000',
    'x'.repeat(21),
    'x'.repeat(200),
    '😀'.repeat(20),
    'a\u200bb',
    [5],
    [true],
    ['!', '?'],
    ['x'.repeat(21)],
  ],
  announcement_channel: [
    CHANNEL,
    ` ${CHANNEL} `,
    `<#${CHANNEL}>`,
    `<#${CHANNEL}`,
    `<@${CHANNEL}>`,
    [CHANNEL],
    'general',
    '1'.repeat(16),
    '1'.repeat(20),
    '1'.repeat(21),
  ],
  beta: ['On', ' yes ', 'ENABLED', 'true', '1', 'off', 'No', 'disabled', 'false', '0', 'maybe', 2, [true]],
  language: [
    ...['en', 'EN_us', 'en-US', 'en-GB', 'English', 'American English', 'ja', 'Japanese', '日本語', 'ru', 'русский'],
    ...['hi', 'हिन्दी', 'es', 'es_ES', 'spanish', 'español', ' Español ', 'de', 'German', ['ja'], { code: 'ja' }],
  ],
  enabledFeatures: [
    'reminders, welcome,',
    'twice,twice',
    ' , ',
    ['reminders', ' reminders ', ''],
    { b: true, a: false, c: true },
    { a: 'on' },
    { ' padded ': true },
    ['x'.repeat(65), 'a\u200bb', 'a\u0000'],
    Array.from({ length: 65 }, (_, index) => `f${index}`),
    [['nested']],
  ],
};
const FIELD_NAMES = Object.keys(VALUES);
const SEVERAL = [
  Object.fromEntries(FIELD_NAMES.map((field) => [field, { bad: 'value' }])),
  { language: 'de', beta: 'x', prefix: 'x'.repeat(21), enabledFeatures: ['\u0000'], xp: 5 },
  { enabledFeatures: 'b,a', language: 'hi', beta: 0, announcement_channel: CHANNEL, prefix: 5, xp: 5 },
];
/** Settings in an export document, which are not converted. */
const EXPORTED = [
  { prefix: '?', beta: true, colour: 'red' },
  { prefix: 5, beta: 'on', language: 'de', announcement_channel: 'x'.repeat(101), enabledFeatures: ['', 5] },
  { colour: 'red' },
  5,
];

test('each value of a source is converted, or refused, as it was recorded', async () => {
  const keys = parseKeyPattern('{guild}');
  if (keys === undefined) throw new Error('Expected a pattern');
  const given = { paths: [], guildPath: undefined, keys, replacements: [], scales: [], emptyPrefix: 'off' } as const;
  const mapping = mappingOf(given, SPECIFIED_SETTINGS);
  const rows = [
    ...FIELD_NAMES.flatMap((field) => [...EVERYWHERE, ...(VALUES[field] ?? [])].map((value) => ({ [field]: value }))),
    ...SEVERAL,
    ...EXPORTED.map((settings) => ({ version: 1, guild: GUILD, settings })),
  ];
  const lines = rows.flatMap((value) => {
    const mapped = mapEntry({ place: 'line 1', key: GUILD, value }, mapping);
    const problems = 'refused' in mapped ? mapped.refused.map(({ problem }) => problem) : [];
    if (problems.length > 0) return [value, problems.join('; ')];
    return [value, 'settings' in mapped ? mapped.settings : 'problem' in mapped ? mapped.problem : mapped.is];
  });
  const escaped = lines.map((line) =>
    JSON.stringify(line).replaceAll(/\p{Cf}/gu, (one) => `\\u${one.charCodeAt(0).toString(16)}`),
  );
  const pairs = escaped.flatMap((line, index) => (index % 2 === 0 ? [`[${line}, ${escaped[index + 1]}]`] : []));
  await expect(`[\n${pairs.join(',\n')}\n]\n`).toMatchFileSnapshot('golden/values.json');
});
