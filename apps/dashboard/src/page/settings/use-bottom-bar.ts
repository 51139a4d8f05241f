import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps room for a bar at the end of the page while it is shown, and what has the focus in view: the bar appears or grows in front of it,
 * and a change of another person makes the part above it grow.
 */
export function useBottomBar(place: RefObject<HTMLElement | null>, isShown: boolean): void {
  const isFocusInView = useIsFocusInView();
  useEffect(() => {
    const { style } = document.documentElement;
    const bar = isShown ? place.current : null;
    const observer = new ResizeObserver(() => {
      if (bar !== null) style.setProperty('--bottom-bar', `${bar.offsetHeight}px`);
      // What the person has scrolled away stays there.
      if (isFocusInView.current) document.activeElement?.scrollIntoView({ block: 'nearest' });
    });
    const main = document.querySelector('main');
    for (const element of [main, bar]) if (element !== null) observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--bottom-bar');
    };
  }, [place, isShown, isFocusInView]);
}

/** What can have the focus and moves with the page: not the header, nor the bar. */
const MOVES = 'main :is(a, button, input, select):not([data-save-bar] *)';

/** Whether what has the focus, and moves with the page, was in view when the page was last drawn. */
function useIsFocusInView(): RefObject<boolean> {
  const isInView = useRef(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      isInView.current = entries.at(-1)?.isIntersecting === true;
    });
    const follow = () => {
      const { activeElement } = document;
      observer.disconnect();
      // Browsers scroll what receives the focus into view.
      isInView.current = activeElement?.matches(MOVES) === true;
      if (isInView.current && activeElement !== null) observer.observe(activeElement);
    };
    follow();
    document.addEventListener('focusin', follow);
    return () => {
      document.removeEventListener('focusin', follow);
      observer.disconnect();
    };
  }, []);
  return isInView;
}
