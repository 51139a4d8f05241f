import { createContext, useContext } from 'react';
import type { useDraft } from '../draft/use-draft.ts';
import type { Live } from './use-live.ts';
import type { useSave } from './use-save.ts';

/** What the parts of a settings page share. */
export interface SettingsContextValue {
  readonly guild: string;
  readonly draft: ReturnType<typeof useDraft>;
  readonly saving: ReturnType<typeof useSave>;
  readonly live: Live;
  /** Returns the name of a channel with its sign, or its id where the name is not known. */
  readonly channelText: (id: string) => string;
}

export const SettingsContext = createContext<SettingsContextValue | undefined>(undefined);

/** Returns what the parts of a settings page share. */
export function useSettings(): SettingsContextValue {
  const value = useContext(SettingsContext);
  if (value === undefined) throw new Error('Expected a component within the settings page');
  return value;
}
