/** The least size of a target in CSS pixels. @see https://www.w3.org/TR/WCAG22/#target-size-minimum */
const LEAST = 24;

/**
 * A script for the browser: returns what can be pressed and is smaller than 24 by 24 pixels, without the exceptions of WCAG 2.5.8: a link
 * in a sentence, and a target around whose middle a circle of 24 pixels touches no other one.
 */
export const SMALL_TARGETS = `(() => {
  const selector = 'a[href], button, input, select, textarea, summary, [role=option], [tabindex]:not([tabindex="-1"])';
  // For screen readers alone.
  const isClipped = (element) =>
    element.closest('body > *') !== element && (/inset\\(50%/.test(getComputedStyle(element).clipPath) || isClipped(element.parentElement));
  const isUsable = (element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.disabled && !isClipped(element);
  const boxOf = (element) => {
    const boxes = [element, ...(element.type === 'file' || element.type === 'checkbox' ? element.labels : [])];
    return boxes.map((part) => part.getBoundingClientRect()).reduce((a, b) => (a.width * a.height >= b.width * b.height ? a : b));
  };
  const isInSentence = (element) =>
    element.matches('a') &&
    [...element.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
  const modal = document.querySelector('dialog:modal') ?? document;
  const targets = [...modal.querySelectorAll(selector)].filter(isUsable).map((element) => ({ element, box: boxOf(element) }));
  const isSmall = ({ box }) => box.width < ${LEAST} || box.height < ${LEAST};
  const middle = ({ left, top, width, height }) => ({ x: left + width / 2, y: top + height / 2 });
  const touches = ({ x, y }, other) => {
    if (isSmall(other)) {
      const there = middle(other.box);
      return Math.hypot(there.x - x, there.y - y) < ${LEAST};
    }
    const { left, right, top, bottom } = other.box;
    return Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)) < ${LEAST / 2};
  };
  return targets
    .filter((target) => isSmall(target) && !isInSentence(target.element))
    .filter((target) => targets.some((other) => other !== target && touches(middle(target.box), other)))
    .map(({ element, box }) => \`\${element.outerHTML.slice(0, 80)} \${box.width}x\${box.height}\`);
})()`;

/** The parts of a page that assistive technology finds its way by. */
export interface Outline {
  readonly lang: string;
  readonly title: string;
  /** Elements of each kind that are shown. */
  readonly counts: Readonly<Record<'h1' | 'main' | 'header' | 'status', number>>;
  /** Levels of the headings in their order. */
  readonly levels: readonly number[];
  /** Animations that run. */
  readonly animations: number;
}

/** A script for the browser: returns the {@link Outline} of the page. */
export const OUTLINE = `(() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  return {
    lang: document.documentElement.lang,
    title: document.title,
    counts: {
      h1: shown('h1').length,
      main: shown('main').length,
      header: shown('#root > header').length,
      status: shown('.visually-hidden[role=status]').length,
    },
    levels: shown('main :is(h1, h2, h3, h4)').filter((heading) => !heading.closest('dialog')).map(({ tagName }) => Number(tagName[1])),
    animations: document.getAnimations().filter(({ playState }) => playState === 'running').length,
  };
})()`;

/** An element with the focus. */
export interface Focused {
  readonly name: string;
  /** Points of it that something else covers, or that are outside of the window. */
  readonly hiddenPoints: number;
}

/** A script for the browser: returns the {@link Focused} element; null: none. */
export const FOCUSED = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  // The label is what is seen of a file's field.
  const seen = element.type === 'file' ? element.labels[0] : element;
  const { left, top, width, height } = seen.getBoundingClientRect();
  const parts = [0.1, 0.5, 0.9];
  const points = parts.flatMap((x) => parts.map((y) => [left + width * x, top + height * y]));
  const isHidden = ([x, y]) => {
    const over = document.elementFromPoint(x, y);
    // The button of a field is within it.
    const own = seen.matches('input') ? seen.parentElement : seen;
    return over === null || !(own.contains(over) || over.contains(seen));
  };
  const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
  return { name, hiddenPoints: points.filter(isHidden).length };
})()`;

/**
 * A script for the browser: from now on, \`window.spoken\` has what screen readers read out by themselves: what changes in a status region
 * that was there before, and every alert.
 */
export const LISTEN = `(() => {
  const regions = '[role=status], [role=alert]';
  const known = new WeakSet(document.querySelectorAll(regions));
  window.spoken = [];
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records) {
      const element = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
      const region = element?.closest(regions);
      if (region && known.has(region)) window.spoken.push(region.textContent);
      for (const added of addedNodes) {
        if (added.nodeType !== Node.ELEMENT_NODE) continue;
        const alerts = [added, ...added.querySelectorAll('[role=alert]')].filter((node) => node.matches('[role=alert]'));
        window.spoken.push(...alerts.map(({ textContent }) => textContent));
      }
    }
    for (const region of document.querySelectorAll(regions)) known.add(region);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
})()`;
