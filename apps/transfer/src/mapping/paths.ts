import { parseJson } from '../sources/parse-json.ts';

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Returns the array or the object in a text of JSON, which a column of a database has instead of it; else the value as it is. */
export function decoded(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

/**
 * Returns the value at a path of names separated by dots, of own properties alone; undefined when there is none. A name that
 * contains dots itself, such as a column's, is found, too. The path `.` is the value itself.
 */
export function valueAt(value: unknown, path: string): unknown {
  if (path === '.') return value;
  const container = decoded(value);
  if (!isContainer(container)) return undefined;
  if (Object.hasOwn(container, path)) return Reflect.get(container, path);
  const dot = path.indexOf('.');
  if (dot === -1) return undefined;
  const name = path.slice(0, dot);
  return Object.hasOwn(container, name) ? valueAt(Reflect.get(container, name), path.slice(dot + 1)) : undefined;
}

/**
 * Yields the names of values that no path takes: those in a row, and those in an object to which a path leads. The elements of
 * an array have no names.
 */
export function* unmappedNames(value: unknown, paths: readonly string[], before = ''): Generator<string> {
  const container = decoded(value);
  if (!isContainer(container) || Array.isArray(container) || paths.includes('.')) return;
  for (const [name, member] of Object.entries(container)) {
    if (member === undefined || member === null || paths.includes(name)) continue;
    const inside = paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
    if (inside.length > 0 && isContainer(decoded(member))) yield* unmappedNames(member, inside, `${before}${name}.`);
    else yield `${before}${name}`;
  }
}
