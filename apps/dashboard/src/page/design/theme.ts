/** The colours of the page: those of the device, unless the person has chosen others. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const SAVED = 'theme';

export function savedTheme(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(SAVED)) ?? 'system';
  } catch {
    return 'system';
  }
}

export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'system') delete root.dataset.theme;
  else root.dataset.theme = theme;
}

/** Shows the page in these colours, and keeps the choice for the next visit. */
export function changeTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(SAVED, theme);
  } catch {
    // Without storage, the choice is for this visit.
  }
}
