/**
 * Returns the parameter `before` of the link to the next part of a history.
 * @see https://www.rfc-editor.org/rfc/rfc8288
 */
export function nextBefore(link: string): number | undefined {
  const [, target] = /<([^>]*)>;\s*rel="next"/.exec(link) ?? [];
  const before = new URLSearchParams(target?.split('?')[1]).get('before');
  return before !== null && /^\d+$/.test(before) ? Number(before) : undefined;
}
