/**
 * Yields the names of values that no path takes: those in a row, and those in an object to which a path leads. The elements of
 * an array have no names.
 */
export function* unmappedNames(value: unknown, paths: readonly string[], before = ''): Generator<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || paths.includes('.')) return;
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || member === null || paths.includes(name)) continue;
    const inside = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    if (inside.length > 0 && typeof member === 'object') yield* unmappedNames(member, inside, `${before}${name}.`);
    else yield `${before}${name}`;
  }
}
