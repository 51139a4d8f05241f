import { createContext, useContext } from 'react';
import type { useDraft } from '../draft/use-draft.ts';
import type { Live } from './use-live.ts';
import type { useSave } from './use-save.ts';
import type { ValueWords } from './value-text.ts';

/** What the parts of a settings page share. */
export interface SettingsContextValue {
  readonly guild: string;
  readonly draft: ReturnType<typeof useDraft>;
  readonly saving: ReturnType<typeof useSave>;
  readonly words: ValueWords;
}

export const SettingsContext = createContext<SettingsContextValue | undefined>(undefined);

/** The connection of the page, by itself: what does not show it is not rendered again with each event. */
export const LiveContext = createContext<Live | undefined>(undefined);

/** Returns what the parts of a settings page share. */
export function useSettings(): SettingsContextValue {
  return within(useContext(SettingsContext));
}

/** Returns the connection of the settings page. */
export function useLiveState(): Live {
  return within(useContext(LiveContext));
}

function within<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Expected a component within the settings page');
  return value;
}
