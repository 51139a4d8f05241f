import { createContext } from 'react';

/** What the pages of the router know of the frame around them, which is shown before them. */
export interface FrameContextValue {
  /** The place in the header beside the name of the page. */
  readonly headerPlace: HTMLElement | null;
  /** Whether the frame itself shows the list of guilds, as it does from the start until another page is opened. */
  readonly showsList: boolean;
  /** Called when a page is shown, with its address. */
  readonly onShown: (href: string, isList: boolean) => void;
}

export const FrameContext = createContext<FrameContextValue>({
  headerPlace: null,
  showsList: false,
  onShown() {},
});
