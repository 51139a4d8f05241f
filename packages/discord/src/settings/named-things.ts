import type { GuildId, Snowflake } from '@guild-settings/contract';
import {
  folded,
  isSameValue,
  type Mentioned,
  type Setting,
  takesMessages,
  takesType,
} from '@guild-settings/contract/settings';
import { shorten, wrongTypeText } from '@guild-settings/i18n';
import type { NamedThing, NamedThings } from '../discord/named-things.ts';
import { code, Refusal } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';

/** The guild and the person who types a name in it. */
export interface Namer {
  readonly guildId: GuildId;
  readonly channelId: Snowflake;
  readonly userId: Snowflake;
  readonly translator: Translator;
  readonly channels: NamedThings;
}

type Place = Pick<Namer, 'guildId' | 'userId' | 'channels'>;

/** Returns the valid things for a setting in a guild that are visible to a person and in memory. */
export function thingsFor(setting: Setting, { guildId, userId, channels }: Place): readonly NamedThing[] {
  const kind = mentionedBy(setting);
  if (kind === undefined) return [];
  return channels.known(kind, guildId, userId).filter(({ type }) => type === undefined || isTaken(setting, type));
}

function isTaken(setting: Setting, type: number): boolean {
  return takesType(setting, type) && (setting.place === 'custom' || takesMessages(setting, { type }));
}

const MENTIONED: readonly string[] = ['channel', 'role', 'user', 'emoji'] satisfies readonly Mentioned[];

/** Returns the kind of thing that a setting accepts; undefined: other values. */
export function mentionedBy({ kind: { control } }: Setting): Mentioned | undefined {
  return MENTIONED.includes(control) ? (control as Mentioned) : undefined;
}

/** Returns the value for a name in a text; undefined: not found. Throws Refusal for an ambiguous name. */
type Find = (text: string, among?: readonly unknown[]) => string | undefined;

/**
 * Returns typed text with ids in place of names and links. In a list the longest matching name is used, because names
 * may contain spaces and commas.
 * @throws Refusal for an ambiguous name, and for a link to another guild
 */
export async function withIds(setting: Setting, typed: string, namer: Namer): Promise<string> {
  const find = await finder(setting, typed, namer);
  if (find === undefined) return typed;
  if (setting.many === undefined) return find(typed) ?? typed;
  const items: string[] = [];
  let rest = mentionedBy(setting) === 'emoji' ? typed.replaceAll(EMOJI, ' $& ') : typed;
  for (;;) {
    rest = rest.replace(SEPARATORS, '');
    // Names are not looked up in a list that is too long.
    if (rest === '' || items.length > setting.many.max)
      return [...items, rest].filter((item) => item !== '').join(', ');
    const { text, item } = firstItem(rest, find);
    items.push(item);
    rest = rest.slice(text.length);
  }
}

/** Adjacent emoji need no separator. */
const EMOJI = /<a?:\w{1,32}:\d{17,20}>|\p{RGI_Emoji}/gv;

function firstItem(list: string, find: Find) {
  const texts = textsAt(list);
  for (const text of texts) {
    const item = find(text);
    if (item !== undefined) return { text, item };
  }
  const text = texts.at(-1) ?? list;
  return { text, item: text };
}

const SEPARATORS = /^[\s,、，]+/u;
const QUOTED = /^(?:["“„”«「『].+?["”“»」』]|['‘‚’].+?['’‘])(?=$|[\s,、，])/su;

/** Discord's limit for a name, plus a leading `#` or `@`. */
const MAX_NAME = 101;

/** Returns the texts at the start of a list that may be its first item: a quoted text, then the longest first. */
function textsAt(list: string): string[] {
  const [quoted] = QUOTED.exec(list) ?? [];
  const near: number[] = [];
  for (const { index } of list.matchAll(/[\s,、，]+|$/gu)) {
    if (index > MAX_NAME && near.length > 0) break;
    near.push(index);
  }
  return [...(quoted === undefined ? [] : [quoted]), ...near.toReversed().map((end) => list.slice(0, end))];
}

const LINK =
  /^<?https?:\/\/(?:(?:ptb|canary|www)\.)?discord(?:app)?\.com\/channels\/(?<guild>\d{17,20}|@me)\/(?<channel>\d{17,20})(?:[/?#][^\s,、，]*)?>?$/iu;

/**
 * Returns a function that finds the thing named in a text; undefined: the setting has no named values.
 * @param typed the text with the names of members to search for
 */
export async function finder(setting: Setting, typed: string, namer: Namer): Promise<Find | undefined> {
  const { guildId, channelId, userId, translator, channels } = namer;
  const kind = mentionedBy(setting);
  if (kind === undefined) return undefined;
  const known = channels.known(kind, guildId, userId);
  const all = kind === 'user' ? await withMembers(known, typed, namer) : known;
  const byTaken = [all.filter(({ type }) => type === undefined || isTaken(setting, type)), all].map(byName);
  return (part, among) => {
    const text = part.trim();
    const link = kind === 'channel' ? LINK.exec(text)?.groups : undefined;
    if (link !== undefined) {
      if (link.guild === guildId) return link.channel;
      throw new Refusal(translator.t('settings.otherServer', { channel: `<#${channelId}>` }));
    }
    const bare = QUOTED.exec(text)?.[0] === text ? text.slice(1, -1) : text;
    const isMeant = ({ value }: NamedThing) => among?.some((item) => isSameValue(item, value, setting)) ?? true;
    const found = [...new Set([text, bare])].flatMap((name) => byTaken.map((things) => things(name).filter(isMeant)));
    const things = found.find((some) => some.length > 0) ?? [];
    const [thing, other] = things;
    if (thing === undefined) return undefined;
    if (other !== undefined) {
      const noted = things.map(({ value, mention }) => {
        return translator.shared('noted', { text: mention, note: code(value) });
      });
      const values = translator.list(noted);
      throw new Refusal(translator.t('settings.severalNamed', { name: code(shorten(text)), values }));
    }
    const isOfType = thing.type === undefined || takesType(setting, thing.type);
    if (!isOfType) throw new Refusal(wrongTypeText(setting, thing.mention, translator));
    return thing.value;
  };
}

/** Maximum member searches per text: each costs a request. */
const MAX_SEARCHES = 10;

/** Returns members, including those whose names are in a text, as a whole or as words of a list. */
async function withMembers(known: readonly NamedThing[], typed: string, { guildId, channels }: Namer) {
  const parts = typed.split(/[,、，\n]+/u).flatMap((part) => [part, ...part.split(/\s+/u)]);
  const names = parts.map((part) => part.trim().replaceAll(/^["“„«「'‘]?@?|["”“»」'’]$/gu, ''));
  const isName = (name: string) => name !== '' && !/^(?:<@!?)?\d{17,20}>?$/.test(name);
  const searched = [...new Set(names.filter(isName))].slice(0, MAX_SEARCHES);
  const found = await Promise.all(searched.map((name) => channels.membersNamed(guildId, name)));
  return [...new Map([...known, ...found.flat()].map((member) => [member.value, member])).values()];
}

/** Returns a function that finds things by name: an exact match, otherwise ignoring case, width and accents. */
function byName(things: readonly NamedThing[]): (name: string) => readonly NamedThing[] {
  const forms = [(text: string) => text.normalize(), folded];
  const maps = forms.map((form) => {
    const named = new Map<string, NamedThing[]>();
    for (const thing of things) {
      for (const name of new Set(thing.names.map(form))) named.set(name, [...(named.get(name) ?? []), thing]);
    }
    return { form, named };
  });
  return (name) => {
    const found = maps.map(({ form, named }) => named.get(form(name.trim())) ?? []);
    return found.find((some) => some.length > 0) ?? [];
  };
}
