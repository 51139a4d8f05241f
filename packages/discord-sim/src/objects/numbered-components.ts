import { type APIMessageTopLevelComponent, ComponentType } from 'discord-api-types/v10';

/**
 * Returns components with the numbers that Discord assigns: in their order, without those that the bot has chosen.
 *
 * @see https://discord.com/developers/docs/components/reference#anatomy-of-a-component
 */
export function numberedComponents(components: readonly APIMessageTopLevelComponent[]): APIMessageTopLevelComponent[] {
  const chosen = new Set(components.flatMap((component) => [component, ...itemsOf(component)]).map(({ id }) => id));
  let last = 0;
  const next = (): number => {
    do last += 1;
    while (chosen.has(last));
    return last;
  };
  // A component with the number 0 has none.
  const numbered = <Component extends { id?: number }>(component: Component) => ({
    ...component,
    id: component.id || next(),
  });
  return components.map((component) => {
    const top = numbered(component);
    return top.type === ComponentType.ActionRow ? { ...top, components: top.components.map(numbered) } : top;
  });
}

function itemsOf(component: APIMessageTopLevelComponent): readonly { readonly id?: number }[] {
  return component.type === ComponentType.ActionRow ? component.components : [];
}
