import type { Actor } from '@guild-settings/contract';
import { shorten, type Words } from './words.ts';

export type Part =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** True: a team has declared the text, which may contain markup of the place where it is shown. */
      readonly isDeclared?: true;
    }
  /** A value of a setting, which a person has entered. */
  | { readonly kind: 'value'; readonly text: string }
  /** A feature of the bot, by its id. */
  | { readonly kind: 'feature'; readonly id: string }
  /** A channel: an id, or another text. */
  | { readonly kind: 'channel'; readonly id: string }
  | { readonly kind: 'role'; readonly id: string }
  | { readonly kind: 'person'; readonly actor: Actor }
  | { readonly kind: 'change'; readonly revision: number };

/** Replaces `{{name}}` in a text by the parts of that name. Values are never read as a template. */
export function fillParts(template: string, slots: Readonly<Record<string, readonly Part[]>>): Part[] {
  return template
    .split(/\{\{(\w+)\}\}/)
    .flatMap((piece, index) => (index % 2 === 1 ? (slots[piece] ?? []) : piece === '' ? [] : [textPart(piece)]));
}

/** Joins parts as the language does: "a, b, and c". More than `max` are counted: "a, b, and 3 more". */
export function listParts(parts: readonly (Part | readonly Part[])[], { shared, language }: Words, max = 5): Part[] {
  const count = parts.length - max;
  const shown = count > 0 ? [...parts.slice(0, max), textPart(shared('more', { count }))] : parts;
  return new Intl.ListFormat(language, { type: 'conjunction' })
    .formatToParts(shown.map((_, position) => String(position)))
    .flatMap(({ type, value }) => (type === 'element' && shown[Number(value)]) || textPart(value));
}

/** The functions that write each kind of part in a plain text. */
export interface PartNames {
  /** A text of a declaration; as it is unless given. */
  readonly declared?: (text: string) => string;
  /** As it is unless given. */
  readonly value?: (text: string) => string;
  /** As a value unless given. */
  readonly feature?: (id: string) => string;
  /** As a value unless given. */
  readonly role?: (id: string) => string;
  readonly person: (actor: Actor) => string;
  readonly channel: (id: string) => string;
}

export function plainText(parts: readonly Part[], names: PartNames): string {
  return parts.map((part) => plainPart(part, names)).join('');
}

function plainPart(part: Part, names: PartNames): string {
  switch (part.kind) {
    case 'person':
      return names.person(part.actor);
    case 'channel':
      return names.channel(part.id);
    case 'change':
      return `#${part.revision}`;
    case 'feature':
    case 'role':
      return names[part.kind]?.(part.id) ?? plainPart(valuePart(part.id), names);
    case 'value':
      return names.value?.(part.text) ?? part.text;
    case 'text':
      return (part.isDeclared && names.declared?.(part.text)) ?? part.text;
  }
}

export function textPart(text: string): Part {
  return { kind: 'text', text };
}

export function valuePart(text: string): Part {
  return { kind: 'value', text: shorten(text) };
}
