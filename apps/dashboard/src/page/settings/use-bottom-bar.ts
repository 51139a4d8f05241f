import { type RefObject, useEffect, useRef } from 'react';

/**
 * Keeps room for a bar at the end of the page while it is shown, and what has the focus in view: the bar appears or grows in front of it,
 * and a change of another person makes the part above it grow.
 */
export function useBottomBar(place: RefObject<HTMLElement | null>, isShown: boolean): void {
  const inView = useFocusedInView();
  useEffect(() => {
    const { style } = document.documentElement;
    const bar = isShown ? place.current : null;
    const observer = new ResizeObserver(() => {
      if (bar !== null) style.setProperty('--bottom-bar', `${bar.offsetHeight}px`);
      // An element that the person has scrolled away or left stays there.
      if (inView.current === document.activeElement) inView.current?.scrollIntoView({ block: 'nearest' });
    });
    const main = document.querySelector('main');
    for (const element of [main, bar]) if (element !== null) observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--bottom-bar');
    };
  }, [place, isShown, inView]);
}

/** Elements that can have the focus and move with the page: not the header, nor the bar. */
const MOVES = 'main :is(a, button, input, select):not([data-save-bar] *)';

/** The element that received the focus last and moves with the page, if it was in view when the page was last drawn. */
function useFocusedInView(): RefObject<Element | null> {
  const inView = useRef<Element | null>(null);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      const last = entries.at(-1);
      inView.current = last?.isIntersecting ? last.target : null;
    });
    const follow = () => {
      const { activeElement } = document;
      observer.disconnect();
      // Browsers scroll what receives the focus into view.
      inView.current = activeElement?.matches(MOVES) ? activeElement : null;
      if (inView.current !== null) observer.observe(inView.current);
    };
    follow();
    document.addEventListener('focusin', follow);
    return () => {
      document.removeEventListener('focusin', follow);
      observer.disconnect();
    };
  }, []);
  return inView;
}
