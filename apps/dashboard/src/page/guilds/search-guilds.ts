/** Returns the guilds whose name contains what was typed, without regard to case, width and accents. An id finds its guild. */
export function matching<Guild extends { readonly id: string; readonly name: string }>(
  guilds: readonly Guild[],
  query: string,
): readonly Guild[] {
  const wanted = folded(query.trim());
  if (wanted === '') return guilds;
  return guilds.filter(({ id, name }) => folded(name).includes(wanted) || id === wanted);
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
