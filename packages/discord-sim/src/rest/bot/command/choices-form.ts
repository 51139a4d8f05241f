import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandOptionChoice,
  ApplicationCommandOptionType,
} from 'discord-api-types/v10';
import { z } from 'zod';
import { focusedOption } from '../../../people/slash-options.ts';
import { withoutUndefined } from '../../form/fields.ts';
import { readForm } from '../../form/read-form.ts';
import { choices, choiceValues } from './option-form.ts';

const { String: Text, Integer, Number: Float } = ApplicationCommandOptionType;
const FORMS = {
  [Text]: z.object({ choices: choices(choiceValues[Text]) }),
  [Integer]: z.object({ choices: choices(choiceValues[Integer]) }),
  [Float]: z.object({ choices: choices(choiceValues[Float]) }),
};

/**
 * Reads the choices that a bot offers for what is being typed: at most 25, with values of the type of the option.
 *
 * @throws {RestRefusal} 400 (50035) with the errors of all fields
 * @see https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-response-object-autocomplete
 */
export function readChoices(
  data: unknown,
  typed: APIApplicationCommandAutocompleteInteraction['data'],
): APIApplicationCommandOptionChoice[] {
  const form = FORMS[focusedOption(typed).type];
  const { choices: offered = [] } = readForm(form, data ?? {}, ['data']);
  return withoutUndefined(offered) as APIApplicationCommandOptionChoice[];
}
