/** Normalizes a word for comparison: without regard to case, width, accents and nuktas. */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f\u093c]/gu, '')
    .toLowerCase();
}

/** Returns those that a text names: exactly, in any Unicode form, or else in another case or width, or with other accents. */
export function named<T>(typed: string, all: readonly T[], namesOf: (one: T) => readonly string[]): readonly T[] {
  const having = (form: (text: string) => string) => {
    const wanted = form(typed.trim());
    return all.filter((one) => namesOf(one).some((name) => form(name.trim()) === wanted));
  };
  const exact = having((text) => text.normalize());
  return exact.length > 0 ? exact : having(folded);
}
