import { createContext, type MouseEvent, type ReactNode, useContext } from 'react';
import { type AnchorProps, PlainLink } from './button.tsx';

export interface PageOpener {
  readonly open: (href: string) => void;
  readonly preload: (href: string) => void;
}

/** Undefined: the router is not loaded yet, and the browser opens each page as a new document. */
export const PageOpenerContext = createContext<PageOpener | undefined>(undefined);

export function useOpenPage(): (href: string) => void {
  return useContext(PageOpenerContext)?.open ?? ((href) => location.assign(href));
}

/**
 * A link to a page of this program, for components that are shown before the router is loaded; elsewhere, use `Link`.
 */
export function PageLink({ href, onClick, ...props }: AnchorProps & { readonly href: string }): ReactNode {
  const opener = useContext(PageOpenerContext);
  const preload = () => opener?.preload(href);
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (opener === undefined || event.defaultPrevented || isForAnotherPlace(event)) return;
    event.preventDefault();
    opener.open(href);
  };
  return <PlainLink {...props} href={href} onClick={open} onFocus={preload} onPointerEnter={preload} />;
}

/** Returns true if the browser opens a tab or a window, or saves the target of the link. */
function isForAnotherPlace({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
}
