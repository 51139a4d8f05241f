/** Returns a number with its noun for English messages: `1 guild`, `1,204 guilds`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
