/** A script for the browser: returns texts that are cut off, are behind the edge of the window, or need sideways scrolling. */
export const CUT_OFF_TEXTS = `(() => {
  const found = [];
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const clips = (overflow) => overflow !== 'visible';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (data.trim() === '' || !isShown(parentElement)) continue;
    if (parentElement.closest('option, script, style, .visually-hidden')) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
    const isOutside = (left, right) => rects.some((rect) => rect.left < left - 1 || rect.right > right + 1);
    const isAboveOrBelow = (top, bottom) => rects.some((rect) => rect.top < top - 1 || rect.bottom > bottom + 1);
    for (let box = parentElement; box !== null; box = box.parentElement) {
      const style = getComputedStyle(box);
      // A long name of a guild ends with dots, a text for screen readers alone is clipped.
      if (style.textOverflow === 'ellipsis' || style.clipPath !== 'none') break;
      const { left, right, top, bottom } = box.getBoundingClientRect();
      if (box === document.documentElement) {
        if (isOutside(0, box.clientWidth)) found.push(data.trim());
        break;
      }
      const isCut = clips(style.overflowX) && isOutside(left, right);
      const isHidden = ['hidden', 'clip'].includes(style.overflowY) && isAboveOrBelow(top, bottom);
      if (isCut || isHidden) {
        found.push(data.trim());
        break;
      }
      // A modal is in front of the page, where no ancestor cuts it off.
      if (box.matches(':modal') && !isOutside(0, innerWidth)) break;
    }
  }
  const canvas = document.createElement('canvas').getContext('2d');
  for (const control of document.querySelectorAll('select, input[placeholder]')) {
    if (!isShown(control)) continue;
    const style = getComputedStyle(control);
    const text = control.selectedOptions?.[0]?.text ?? (control.value === '' ? control.placeholder : '');
    canvas.font = style.font;
    const room = control.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    if (canvas.measureText(text).width > room + 1) found.push(text);
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth > clientWidth ? ['(the page is wider than its window)', ...found] : found;
})()`;

/** A script for the browser: returns everything that people see or hear as text, without what they or others typed. */
export const TEXTS = `(() => {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  // A text that was read out stays in its region, in the language of then.
  const spoken = '.visually-hidden[role=status], [data-live-announcer]';
  const others = '[lang]:not(html), code, bdi, textarea, script, style, [data-hue], ' + spoken;
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (isShown(parentElement.closest('select') ?? parentElement) && !parentElement.closest(others)) texts.push(data);
  }
  for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')) {
    if (!isShown(element) || element.closest(others)) continue;
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) texts.push(element.getAttribute(name) ?? '');
  }
  return texts.map((text) => text.trim()).filter((text) => text !== '');
})()`;

/** A script for the browser: returns what was read out last by screen readers. */
export const SPOKEN = `[...document.querySelectorAll('[role=status], [role=alert]')].map(({ textContent }) => textContent)`;

/** Returns a script for the browser that changes the language with the page's own choice, also behind a dialog. */
export const changeLanguage = (language: string) => `(async () => {
  const root = document.documentElement;
  if (root.lang !== '${language}') {
    const find = () => document.querySelector('[popover] select:has(option[lang="${language}"])');
    // A menu has its choices from when it is first opened.
    if (find() === null)
      for (const menu of document.querySelectorAll('[popover]')) menu.dispatchEvent(new Event('beforetoggle'));
    while (find() === null) await new Promise((resolve) => setTimeout(resolve, 5));
    const select = find();
    select.value = '${language}';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    while (root.lang !== '${language}') await new Promise((resolve) => setTimeout(resolve, 5));
  }
  for (let frames = 0; frames < 2; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
})()`;

/** Names that are the same in every language, and words that English shares with another one. */
const NAMES = [
  /Discord Testers|Peña del Café|Café Olé|Guild \d|A guild whose name[^.]*|Melody|Mika|Ольга/g,
  /Discord|Chrome|Linux|JSON|\bID\b|UTF-8|REST API|KiB|KB|MB/g,
  /#[a-z]+|@[\w -]+|[\w()-]+\.json|\bpolls\b/g,
  /\b(?:Beta|Editor|General|Roles)\b/g,
  // Of React Aria for screen readers, which has no Hindi.
  /Show suggestions|Suggestions|Dismiss/g,
];

/** Returns the texts that are English in another language: the same as in English, beside names. */
export function untranslated(english: readonly string[], texts: readonly string[]): string[] {
  const known = new Set(english);
  const withoutNames = (text: string) => NAMES.reduce((rest, name) => rest.replaceAll(name, ''), text);
  return texts.filter((text) => known.has(text) && /\p{Script=Latin}{2}/u.test(withoutNames(text)));
}

/** Returns the texts that are keys, or templates with a place that was not filled. */
export function rawKeys(texts: readonly string[]): string[] {
  return texts.filter((text) => /\{\{|\}\}/.test(text) || /^(?:\w+:)?[a-z]\w*(?:\.[a-z][\w-]*)+$/.test(text));
}
