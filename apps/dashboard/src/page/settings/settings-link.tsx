import type { Setting } from '@guild-settings/contract/settings';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Link } from '../design/link.tsx';
import { FEATURES } from '../draft/fields.ts';
import type { Section } from './groups.ts';
import { useSettings } from './settings-context.ts';

/** Returns the URL of a section, and of a setting in it, for a link or a navigation. */
export function placeOf(guild: string, { path }: Section, setting?: Setting) {
  const search = setting === undefined ? {} : { setting: setting.shownField };
  // A setting that gets the focus is scrolled to.
  const options = { search, resetScroll: setting === undefined };
  return path === undefined
    ? ({ to: '/guilds/$guild', params: { guild }, ...options } as const)
    : ({ to: '/guilds/$guild/settings/{-$group}', params: { guild, group: path }, ...options } as const);
}

interface SettingsLinkProps {
  readonly section: Section;
  /** The setting that gets the focus; undefined: the heading of the section gets it. */
  readonly setting?: Setting;
  readonly isCurrent?: boolean;
  readonly className: string | undefined;
  /** The name for screen readers, where it is more than the content. */
  readonly label?: string | undefined;
  readonly onClick?: () => void;
  readonly children: ReactNode;
}

export function SettingsLink({
  section,
  setting,
  isCurrent = false,
  className,
  label,
  onClick,
  children,
}: SettingsLinkProps) {
  const { guild } = useSettings();
  return (
    <Link
      {...placeOf(guild, section, setting)}
      preload={false}
      activeOptions={{ exact: true }}
      aria-current={isCurrent ? 'page' : undefined}
      aria-label={label}
      {...(className !== undefined && { className })}
      onClick={() => {
        onClick?.();
        // The URL may already be that of the page.
        if (setting !== undefined) focusSetting(setting);
      }}
    >
      {children}
    </Link>
  );
}

/** Returns a function that opens the section of a setting and focuses the setting. */
export function useShowSetting(guild: string): (section: Section, setting: Setting) => void {
  const navigate = useNavigate();
  return (section, setting) => {
    if (!focusSetting(setting)) void navigate(placeOf(guild, section, setting));
  };
}

/**
 * The parts of a setting that may get the focus; the first existing one is used. A list would open and hide the rest of
 * the page.
 */
const FOCUSED = ['[data-conflict]', '[aria-invalid="true"]', 'input:not([role="combobox"]), select, textarea'];

/** Focuses a setting. @returns false: it is not displayed */
export function focusSetting({ shownField: field }: Setting): boolean {
  const row = document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`);
  if (row === null) return false;
  const parts = field === FEATURES.field ? FOCUSED.slice(0, 1) : FOCUSED;
  const part = parts.map((selector) => row.querySelector<HTMLElement>(selector)).find((one) => one !== null);
  row.dataset.found = '';
  focusOn(part ?? row);
  for (const element of [row, part]) element?.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Focuses an element that may not be focusable by default. */
export function focusOn(element: HTMLElement): void {
  if (element.tabIndex < 0) element.setAttribute('tabindex', '-1');
  element.focus({ preventScroll: true });
}
