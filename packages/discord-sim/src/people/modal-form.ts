import {
  type APIComponentInLabel,
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmission,
  ComponentType,
  type ModalSubmitComponent,
  type ModalSubmitLabelComponent,
} from 'discord-api-types/v10';
import { channelObject } from '../objects/guild-objects.ts';
import type { World } from '../world/world.ts';
import { resolvedIds, type Viewpoint } from './slash-options.ts';

/**
 * The values that a person enters, by custom id: a text, or the selected values. Omitted fields keep the initial value
 * of the modal.
 */
export type ModalValues = Readonly<Record<string, string | readonly string[]>>;

const MAX_TEXT = 4_000;

/**
 * Fills in a modal like Discord's client, with the client's checks: lengths, required fields, numbers of values, and
 * that selected values were offered.
 *
 * @throws {Error} with the invalid value
 */
export function fillModal(
  world: World,
  { custom_id: customId, components }: APIModalInteractionResponseCallbackData,
  values: ModalValues,
  viewpoint: Viewpoint,
): APIModalSubmission {
  const fields = components.flatMap((label) => (label.type === ComponentType.Label ? [label.component] : []));
  for (const name of Object.keys(values)) {
    if (!fields.some((field) => field.custom_id === name)) throw new Error(`The modal has no field ${name}`);
  }
  const filled = fields.map((field, index): ModalSubmitLabelComponent => {
    const given = Object.hasOwn(values, field.custom_id) ? values[field.custom_id] : undefined;
    const component = filledIn(world, field, given, viewpoint);
    return { type: ComponentType.Label, id: 2 * index + 1, component: { ...component, id: 2 * index + 2 } };
  });
  const ids = (type: ComponentType) =>
    filled.flatMap(({ component }) => (component.type === type && 'values' in component ? component.values : []));
  const resolved = resolvedIds(world, viewpoint, {
    users: ids(ComponentType.UserSelect),
    channels: ids(ComponentType.ChannelSelect),
    roles: ids(ComponentType.RoleSelect),
  });
  return { custom_id: customId, components: filled, resolved };
}

function filledIn(
  world: World,
  field: APIComponentInLabel,
  given: ModalValues[string] | undefined,
  viewpoint: Viewpoint,
): ModalSubmitComponent {
  const { custom_id } = field;
  switch (field.type) {
    case ComponentType.TextInput: {
      const value = given ?? field.value ?? '';
      const { min_length: min = 0, max_length: max = MAX_TEXT, required = true } = field;
      if (typeof value !== 'string') throw new Error(`Field ${custom_id} takes a text`);
      const { length } = [...value];
      const isLeftOut = value === '' && !required;
      if (!isLeftOut && (length < Math.max(min, 1) || length > max)) {
        throw new Error(`Field ${custom_id} takes ${min} to ${max} characters, not ${length}`);
      }
      return { type: field.type, custom_id, value };
    }
    case ComponentType.StringSelect:
    case ComponentType.UserSelect:
    case ComponentType.RoleSelect:
    case ComponentType.ChannelSelect: {
      const chosen = given ?? presentValues(field);
      if (typeof chosen === 'string') throw new Error(`Field ${custom_id} takes a list of values`);
      const { min_values: min = 1, max_values: max = 1, required = true } = field;
      const isLeftOut = chosen.length === 0 && !required;
      if (!isLeftOut && (chosen.length < (required ? Math.max(min, 1) : min) || chosen.length > max)) {
        throw new Error(`Field ${custom_id} takes ${min} to ${max} values, not ${chosen.length}`);
      }
      const offered = offeredBy(world, field, viewpoint);
      // A default value that no longer exists is not sent.
      const values = chosen.filter((value) => offered(value));
      if (given !== undefined && values.length < chosen.length) {
        throw new Error(`Field ${custom_id} does not offer ${chosen.find((value) => !offered(value))}`);
      }
      return { type: field.type, custom_id, values };
    }
    default:
      throw new Error(`Field ${custom_id} is of type ${field.type}, which is not simulated`);
  }
}

type Menu = Extract<
  APIComponentInLabel,
  {
    readonly type:
      | ComponentType.StringSelect
      | ComponentType.UserSelect
      | ComponentType.RoleSelect
      | ComponentType.ChannelSelect;
  }
>;

function presentValues(field: Menu): readonly string[] {
  if (field.type !== ComponentType.StringSelect) return (field.default_values ?? []).map(({ id }) => id);
  return field.options.filter((option) => option.default).map(({ value }) => value);
}

function offeredBy(world: World, field: Menu, { guildId }: Viewpoint): (value: string) => boolean {
  switch (field.type) {
    case ComponentType.StringSelect:
      return (value) => field.options.some((option) => option.value === value);
    case ComponentType.UserSelect:
      return (id) => world.findUser(id) !== null;
    case ComponentType.RoleSelect:
      return (id) => id === guildId || world.rolesOf(guildId).some((role) => role.id === id);
    case ComponentType.ChannelSelect:
      return (id) => {
        const channel = world.channels.find(id);
        if (channel?.guildId !== guildId) return false;
        const { channel_types: types } = field;
        return types === undefined || types.some((type) => type === channelObject(world, channel).type);
      };
  }
}
