import { named } from './folded.ts';
import { kind } from './kind.ts';
import { CODE_POINT_BYTES, textFlaws, textLimits, textRules } from './text-flaws.ts';

const UTF_8 = new TextEncoder();

/** A choice among declared values. */
export const CHOICE = kind<'choice'>({
  type: 'string',
  control: 'choice',
  empty: undefined,
  flaws(item, { choices, open, noInvisible = false }) {
    if (open !== undefined) return textFlaws(String(item), { min: 1, max: open, noInvisible });
    return Object.hasOwn(choices, String(item)) ? [] : [{ key: 'notChoice', count: 0 }];
  },
  parse(typed, { choices, open }, words) {
    // The name of a choice may be what people call another one.
    const name = [typed, typed.trim()].find((text) => Object.hasOwn(choices, text));
    const [found, other] = named(typed, Object.keys(choices), (choice) => [choice, ...words.namesOf(choice)]);
    return name ?? (other === undefined ? found : undefined) ?? (open === undefined ? undefined : typed);
  },
  keywords({ choices, open, noInvisible = false }) {
    if (open === undefined) return { enum: Object.keys(choices) };
    return { ...textLimits({ min: 1, max: open }), description: textRules({ noInvisible }) };
  },
  maxBytes({ choices, open }) {
    if (open !== undefined) return 2 + open * CODE_POINT_BYTES;
    return Math.max(...Object.keys(choices).map((choice) => UTF_8.encode(JSON.stringify(choice)).length));
  },
});
