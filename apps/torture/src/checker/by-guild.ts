/** Groups items by guild. */
export function byGuild<T extends { readonly guild: string }>(items: readonly T[]): Map<string, T[]> {
  const guilds = new Map<string, T[]>();
  for (const item of items) {
    const group = guilds.get(item.guild);
    if (group) group.push(item);
    else guilds.set(item.guild, [item]);
  }
  return guilds;
}
