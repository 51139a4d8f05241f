import type { ProblemIssue } from '@guild-settings/contract';
import { createContext, useContext } from 'react';
import type { DraftStore } from '../draft/draft-store.ts';
import { useDraft } from '../draft/use-draft.ts';
import type { Saver } from './saver.ts';
import type { Live } from './use-live.ts';
import type { ValueWords } from './value-text.ts';

/** The context that the parts of a settings page share. It stays the same while the person types. */
export interface SettingsContextValue {
  readonly guild: string;
  readonly store: DraftStore;
  readonly saver: Saver;
  readonly issues: readonly ProblemIssue[];
  readonly words: ValueWords;
}

export const SettingsContext = createContext<SettingsContextValue | undefined>(undefined);

/** The connection of the page, by itself: what does not show it is not rendered again with each event. */
export const LiveContext = createContext<Live | undefined>(undefined);

export function useSettings(): SettingsContextValue {
  return within(useContext(SettingsContext));
}

export function useWholeDraft(): ReturnType<typeof useDraft> {
  return useDraft(useSettings().store);
}

export function useLiveState(): Live {
  return within(useContext(LiveContext));
}

function within<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Expected a component within the settings page');
  return value;
}
