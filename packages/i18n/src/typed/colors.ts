import { folded } from '@guild-settings/contract/settings';

/**
 * Discord's colors by the names of discord.js, and by names in the other languages.
 * @see https://discord.js.org/docs/packages/discord.js/main/Colors:Enum
 * @see https://discord.com/branding
 */
const NAMES: Readonly<Record<string, string>> = {
  '#5865F2': 'blurple блерпл ブラープル ब्लरपल',
  '#57F287': 'green зелёный verde 緑 緑色 グリーン हरा',
  '#FEE75C': 'yellow жёлтый amarillo 黄 黄色 イエロー पीला',
  '#EB459E': 'fuchsia фуксия fucsia フクシア フューシャ फ्यूशिया',
  '#ED4245': 'red красный rojo 赤 赤色 レッド लाल',
  '#FFFFFF': 'white белый blanco 白 白色 ホワイト सफ़ेद',
  '#000000': 'black default чёрный negro 黒 黒色 ブラック काला',
  '#1ABC9C': 'aqua teal бирюзовый аква turquesa agua 水色 アクア एक्वा फ़िरोज़ी',
  '#3498DB': 'blue синий azul 青 青色 ブルー नीला',
  '#9B59B6': 'purple violet фиолетовый morado púrpura violeta 紫 紫色 パープル बैंगनी',
  '#E91E63': 'pink luminousvividpink magenta розовый rosa ピンク 桃色 गुलाबी',
  '#F1C40F': 'gold золотой dorado oro 金 金色 ゴールド सुनहरा',
  '#E67E22': 'orange оранжевый naranja オレンジ 橙 橙色 नारंगी',
  '#95A5A6': 'grey gray серый gris 灰色 グレー धूसर स्लेटी',
  '#34495E': 'navy navyblue тёмно-голубой azul_marino marino 紺 紺色 ネイビー नेवी',
  '#11806A': 'darkaqua darkteal',
  '#1F8B4C': 'darkgreen',
  '#206694': 'darkblue',
  '#71368A': 'darkpurple',
  '#AD1457': 'darkpink darkvividpink darkmagenta',
  '#C27C0E': 'darkgold',
  '#A84300': 'darkorange',
  '#992D22': 'darkred',
  '#979C9F': 'darkgrey darkgray',
  '#7F8C8D': 'darkergrey darkergray',
  '#BCC0C0': 'lightgrey lightgray светло-серый gris_claro ライトグレー हल्काधूसर',
  '#2C3E50': 'darknavy',
  '#99AAB5': 'greyple grayple',
  '#2C2F33': 'darkbutnotblack',
  '#23272A': 'notquiteblack darknotquiteblack',
};

/** Forms of "dark" in the languages. */
const DARK = [
  /^темно(.+)$/,
  /^(.+)oscuro$/,
  /^(.+)oscura$/,
  /^ダーク(.+)$/,
  /^濃い(.+)$/,
  /^暗い(.+)$/,
  /^गहरा(.+)$/,
].map(({ source }) => new RegExp(source.normalize('NFKD'), 'u'));

let colors: ReadonlyMap<string, string> | undefined;

/** Returns a color by its name in one of the languages as `#RRGGBB`: for `dark blue`, `DarkBlue` and `dark_blue`. */
export function colorIn(typed: string): string | undefined {
  colors ??= new Map(
    Object.entries(NAMES).flatMap(([hex, names]) => names.split(' ').map((name) => [keyOf(name), hex] as const)),
  );
  const name = keyOf(typed);
  const known = colors.get(name);
  if (known !== undefined) return known;
  const bright = DARK.map((pattern) => pattern.exec(name)?.[1]).find((one) => one !== undefined);
  const english = NAMES[colors.get(bright ?? '') ?? '']?.split(' ')[0];
  return english === undefined ? undefined : colors.get(`dark${english}`);
}

function keyOf(name: string): string {
  return folded(name).replaceAll(/[\s_-]/g, '');
}

/** The names of a language, recognised by its letters if it has its own. */
const OWN: Readonly<Record<string, RegExp>> = {
  'es-ES':
    /^(?:verde|amarillo|fucsia|rojo|blanco|negro|turquesa|azul|morado|rosa|dorado|naranja|gris|azul_marino|gris_claro)$/,
  ru: /\p{sc=Cyrl}/u,
  ja: /[\p{sc=Hira}\p{sc=Kana}\p{sc=Hani}]/u,
  hi: /\p{sc=Deva}/u,
};

export interface NamedValue {
  /** As on the wire. */
  readonly value: string;
  /** The names in the language first. */
  readonly names: readonly string[];
}

/** Returns the named colors. */
export function namedColors(language: string): readonly NamedValue[] {
  const own = OWN[language];
  return Object.entries(NAMES).map(([hex, text]) => {
    const names = text.split(' ');
    const first = names.filter((name) => own?.test(name));
    return { value: hex, names: [...new Set([...first, ...names])].map((name) => name.replaceAll('_', ' ')) };
  });
}
