import { createContext } from 'react';

/** The frame around the pages of the router, which is shown before them. */
export interface FrameContextValue {
  readonly headerPlace: HTMLElement | null;
  /** True: the frame itself shows the list of guilds, as it does from the start until another page is opened. */
  readonly showsList: boolean;
  /** Called when a page is shown, with its address. */
  readonly onShown: (href: string, isList: boolean) => void;
}

export const FrameContext = createContext<FrameContextValue>({
  headerPlace: null,
  showsList: false,
  onShown() {},
});
