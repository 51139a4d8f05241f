/** Moves the focus from a button that is about to be removed to what it is in: otherwise the keyboard starts again at the top of the page. */
export function focusAround(button: HTMLElement): void {
  button.closest<HTMLElement>('[tabindex="-1"]')?.focus({ preventScroll: true });
}
