/**
 * Returns the value at a path of names separated by dots, of own properties alone; undefined when there is none. A name that
 * contains dots itself, such as a column's, is found, too. The path `.` is the value itself.
 */
export function valueAt(value: unknown, path: string): unknown {
  if (path === '.') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, path)) return Reflect.get(value, path);
  const dot = path.indexOf('.');
  if (dot === -1) return undefined;
  const name = path.slice(0, dot);
  return Object.hasOwn(value, name) ? valueAt(Reflect.get(value, name), path.slice(dot + 1)) : undefined;
}
