/** The same, by guild. */
export function byGuild<T extends { readonly guild: string }>(all: readonly T[]): Map<string, T[]> {
  const guilds = new Map<string, T[]>();
  for (const one of all) {
    const others = guilds.get(one.guild);
    if (others) others.push(one);
    else guilds.set(one.guild, [one]);
  }
  return guilds;
}
