import { parseJson } from '../sources/parse-json.ts';

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Returns the array or object in a JSON text, which a database column may contain; otherwise the value itself. */
export function decoded(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

/**
 * Returns the value at a dotted path, using own properties only; undefined if there is none. A name that contains dots,
 * such as that of a column, is also found. The path `.` is the value itself.
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
 * Yields the names of values without a path: those in a row, and those in an object to which a path leads. Array
 * elements have no names.
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
