import {
  type APIComponentInLabel,
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  TextInputStyle,
} from 'discord-api-types/v10';
import { channelObject } from '../objects/guild-objects.ts';
import { displayName } from '../world/guilds.ts';
import type { World } from '../world/world.ts';
import type { Viewer } from './viewer.ts';

interface ModalField {
  readonly customId: string;
  readonly label: string;
  readonly description: string;
  readonly placeholder: string;
  readonly required: boolean;
  /** Bounds of the length of a text, or of the number of chosen values. */
  readonly min: number;
  readonly max: number;
  /** `null`: a menu. */
  readonly text: { readonly value: string; readonly lines: 'one' | 'many' } | null;
  readonly options: readonly { readonly label: string; readonly value: string; readonly chosen: boolean }[];
}

export function modalMenu(
  world: World,
  { title, components }: APIModalInteractionResponseCallbackData,
  viewer: Viewer,
): { readonly title: string; readonly fields: readonly ModalField[] } {
  const fields = components.flatMap((label): ModalField[] => {
    if (label.type !== ComponentType.Label) return [];
    const { component } = label;
    return [{ ...fieldOf(world, component, viewer), label: label.label, description: label.description ?? '' }];
  });
  return { title, fields };
}

function fieldOf(world: World, field: APIComponentInLabel, viewer: Viewer) {
  const common = {
    customId: field.custom_id,
    placeholder: 'placeholder' in field ? (field.placeholder ?? '') : '',
    required: 'required' in field ? (field.required ?? true) : true,
  };
  if (field.type === ComponentType.TextInput) {
    const lines = field.style === TextInputStyle.Paragraph ? ('many' as const) : ('one' as const);
    const { min_length: min = 0, max_length: max = 4_000, value = '' } = field;
    return { ...common, min, max, text: { value, lines }, options: [] };
  }
  const { min_values: min = 1, max_values: max = 1 } = field as { min_values?: number; max_values?: number };
  return { ...common, min, max, text: null, options: optionsOf(world, field, viewer) };
}

function optionsOf(world: World, field: APIComponentInLabel, { channel: { guildId } }: Viewer) {
  const chosen = 'default_values' in field ? (field.default_values ?? []).map(({ id }) => id) : [];
  const entry = (value: string, label: string) => ({ value, label, chosen: chosen.includes(value) });
  switch (field.type) {
    case ComponentType.StringSelect:
      return field.options.map(({ value, label, default: isDefault = false }) => ({ value, label, chosen: isDefault }));
    case ComponentType.UserSelect:
      return world.membersOf(guildId).map(({ userId }) => entry(userId, `@${displayName(world, guildId, userId)}`));
    case ComponentType.RoleSelect:
      return world.guilds.roles(guildId).map(({ id, name }) => entry(id, `@${name}`));
    case ComponentType.ChannelSelect: {
      const { channel_types: types } = field;
      return world.channels
        .of(guildId)
        .filter((channel) => types === undefined || types.some((type) => type === channelObject(world, channel).type))
        .map(({ id, name }) => entry(id, `#${name}`));
    }
    default:
      return [];
  }
}
