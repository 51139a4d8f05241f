import type { GuildId, Snowflake } from '@guild-settings/contract';
import { folded, type Setting, takesMessages, takesType } from '@guild-settings/contract/settings';
import { shorten, wrongTypeText } from '@guild-settings/i18n';
import type { Channels, NamedThing } from '../discord/channels.ts';
import { code, Refusal } from '../i18n/text.ts';
import type { Translator } from '../i18n/translator.ts';

/** The guild and the person who names something in it. */
export interface Namer {
  readonly guildId: GuildId;
  readonly channelId: Snowflake;
  readonly userId: Snowflake;
  readonly translator: Translator;
  readonly channels: Pick<Channels, 'seenChannels' | 'roles'>;
}

/** Returns what a setting takes of a guild and a person sees; none for a setting that takes other values. */
export function thingsFor(
  setting: Setting,
  namer: Pick<Namer, 'guildId' | 'userId' | 'channels'>,
): readonly NamedThing[] {
  return allThings(setting, namer).filter(({ type }) => type === undefined || isTaken(setting, type));
}

function allThings(
  { declared }: Setting,
  { guildId, userId, channels }: Pick<Namer, 'guildId' | 'userId' | 'channels'>,
): readonly NamedThing[] {
  if (declared.kind === 'channel') return channels.seenChannels(guildId, userId);
  return declared.kind === 'role' ? channels.roles(guildId) : [];
}

function isTaken(setting: Setting, type: number): boolean {
  return takesType(setting, type) && (setting.place === 'custom' || takesMessages(setting, { type }));
}

/**
 * Returns what a person typed as a value, with ids in the place of names and links. In a list, the longest name is meant of those that
 * stand there, because names have spaces and commas.
 * @throws Refusal for a name of several, and for a link to another guild
 */
export function withIds(setting: Setting, typed: string, namer: Namer): string {
  if (setting.many === undefined) return withId(setting, typed, namer);
  const idOf = finder(setting, namer);
  if (idOf === undefined) return typed;
  const items: string[] = [];
  let rest = typed;
  for (;;) {
    rest = rest.replace(SEPARATORS, '');
    if (rest === '') return items.join(', ');
    const { text, item } = firstItem(rest, idOf);
    items.push(item);
    rest = rest.slice(text.length);
  }
}

function firstItem(list: string, idOf: (text: string) => string | undefined) {
  const texts = textsAt(list);
  for (const text of texts) {
    const item = idOf(text);
    if (item !== undefined) return { text, item };
  }
  const text = texts.at(-1) ?? list;
  return { text, item: text };
}

/**
 * Returns one item that a person typed, with the id in the place of a name or a link.
 * @param among the ids of which one is meant; all unless given
 */
export function withId(setting: Setting, typed: string, namer: Namer, among?: readonly unknown[]): string {
  return finder(setting, namer, among)?.(typed) ?? typed;
}

const SEPARATORS = /^[\s,、，]+/u;
const QUOTED = /^(?:["“„”«「『].+?["”“»」』]|['‘‚’].+?['’‘])(?=$|[\s,、，])/su;

/** Discord's limit for a name, and a mark before it. */
const MAX_NAME = 101;

/** Returns the texts at the start of a list that may be its first item: what is in quotation marks, then the longest one first. */
function textsAt(list: string): string[] {
  const [quoted] = QUOTED.exec(list) ?? [];
  const ends = [...list.matchAll(/[\s,、，]+|$/gu)].map(({ index }) => index);
  const near = ends.filter((end, index) => end <= MAX_NAME || index === 0);
  return [...(quoted === undefined ? [] : [quoted]), ...near.toReversed().map((end) => list.slice(0, end))];
}

const LINK =
  /^<?https?:\/\/(?:(?:ptb|canary|www)\.)?discord(?:app)?\.com\/channels\/(?<guild>\d{17,20}|@me)\/(?<channel>\d{17,20})(?:[/?#][^\s,、，]*)?>?$/iu;

/** Returns a function that returns the id of what a text names; undefined: the setting takes nothing that has a name. */
function finder(
  setting: Setting,
  namer: Namer,
  among?: readonly unknown[],
): ((text: string) => string | undefined) | undefined {
  const { guildId, channelId, translator } = namer;
  const isChannel = setting.declared.kind === 'channel';
  if (!isChannel && setting.declared.kind !== 'role') return undefined;
  const lists = [thingsFor(setting, namer), allThings(setting, namer)];
  const [taken, others] = lists.map((things) => byName(things.filter(({ id }) => among?.includes(id) ?? true)));
  return (typed) => {
    const text = typed.trim();
    const link = isChannel ? LINK.exec(text)?.groups : undefined;
    if (link !== undefined) {
      if (link.guild === guildId) return link.channel;
      throw new Refusal(translator.t('settings.otherServer', { channel: `<#${channelId}>` }));
    }
    const bare = QUOTED.exec(text)?.[0] === text ? text.slice(1, -1) : text;
    const found = [text, bare].flatMap((name) => [taken?.(name) ?? [], others?.(name) ?? []]);
    const things = found.find((some) => some.length > 0) ?? [];
    const [thing, other] = things;
    if (thing === undefined) return undefined;
    if (other !== undefined) {
      const values = translator.list(things.map(({ id, mention }) => `${mention} (${code(id)})`));
      throw new Refusal(translator.t('settings.severalNamed', { name: code(shorten(text)), values }));
    }
    const isOfType = thing.type === undefined || takesType(setting, thing.type);
    if (!isOfType) throw new Refusal(wrongTypeText(setting, thing.mention, translator));
    return thing.id;
  };
}

/** Returns a function that returns the things of a name: written exactly so, or else in another case or width, or with other accents. */
function byName(things: readonly NamedThing[]): (name: string) => readonly NamedThing[] {
  const forms = [(text: string) => text.normalize(), folded];
  const maps = forms.map((form) => {
    const named = new Map<string, NamedThing[]>();
    for (const thing of things) {
      for (const name of new Set(namesOf(thing).map(form))) named.set(name, [...(named.get(name) ?? []), thing]);
    }
    return { form, named };
  });
  return (name) => {
    const found = maps.map(({ form, named }) => named.get(form(name.trim())) ?? []);
    return found.find((some) => some.length > 0) ?? [];
  };
}

/** Returns what people call a thing: with the mark before its name, and without. */
export function namesOf({ name }: Pick<NamedThing, 'name'>): readonly string[] {
  return [name, name.slice(1)];
}
