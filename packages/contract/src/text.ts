import { z } from 'zod';
import { flawMessage } from './settings/flaw.ts';
import { type TextRules, textFlaws, textLimits, textRules } from './settings/text-flaws.ts';

interface TextOptions extends TextRules {
  /** The description for the OpenAPI document, to which the rules that a portable pattern cannot express are added. */
  readonly description?: string;
}

/** Makes the schema of one line of text, by the rules for texts of settings. */
export function text({ description, ...rules }: TextOptions) {
  return z
    .string()
    .check((context) => {
      for (const flaw of textFlaws(context.value, rules)) {
        context.issues.push({ code: 'custom', message: flawMessage(flaw), input: context.value });
      }
    })
    .meta({
      ...textLimits(rules),
      description: description === undefined ? textRules(rules) : `${description} ${textRules(rules)}`,
    });
}
