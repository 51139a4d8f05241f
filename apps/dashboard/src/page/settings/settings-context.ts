import type { ProblemIssue } from '@guild-settings/contract';
import { createContext, useContext } from 'react';
import type { DraftStore } from '../draft/draft-store.ts';
import { useDraft } from '../draft/use-draft.ts';
import type { Saver } from './saver.ts';
import type { Live } from './use-live.ts';
import type { ValueWords } from './value-text.ts';

/** What the parts of a settings page share. It stays the same while somebody types. */
export interface SettingsContextValue {
  readonly guild: string;
  readonly store: DraftStore;
  readonly saver: Saver;
  /** What the service has refused. */
  readonly issues: readonly ProblemIssue[];
  readonly words: ValueWords;
}

export const SettingsContext = createContext<SettingsContextValue | undefined>(undefined);

/** The connection of the page, by itself: what does not show it is not rendered again with each event. */
export const LiveContext = createContext<Live | undefined>(undefined);

/** Returns what the parts of a settings page share. */
export function useSettings(): SettingsContextValue {
  return within(useContext(SettingsContext));
}

/** Returns the whole draft of a settings page, for parts that show all of it. */
export function useWholeDraft(): ReturnType<typeof useDraft> {
  return useDraft(useSettings().store);
}

/** Returns the connection of the settings page. */
export function useLiveState(): Live {
  return within(useContext(LiveContext));
}

function within<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Expected a component within the settings page');
  return value;
}
