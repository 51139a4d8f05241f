import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Number of pixels by which the page is wider than its window. */
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** The program of axe without its comments, which a document compiles in half the time. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Only violations are described: describing and sending passes takes longer than the examination. Style sheets are not
 * loaded again for rules about them, because those are disabled.
 */
const OPTIONS: RunOptions = { resultTypes: ['violations'], preload: false };

/** Expects that the page is not wider than its window. */
export async function expectNothingCutOff(page: Page): Promise<void> {
  expect(await page.evaluate<number>(OVERFLOW)).toBeLessThanOrEqual(0);
}

/** Attributes that refer to elements which describe another one. A missing element is not a violation for axe. */
const NAMING = ['aria-describedby', 'aria-errormessage', 'aria-labelledby'];

/** A script that returns the ids of missing elements. */
const MISSING = `${JSON.stringify(NAMING)}.flatMap((name) =>
  [...document.querySelectorAll('[' + name + ']')].flatMap((element) =>
    element.getAttribute(name).split(/\\s+/).filter((id) => id !== '' && document.getElementById(id) === null)
      .map((id) => name + ' names no element: ' + id + ' at ' + element.cloneNode(false).outerHTML)))`;

/**
 * Returns the axe violations of a page. axe is loaded into a document once.
 * @param parts selectors of the parts that are examined; all unless given
 * @see https://github.com/dequelabs/axe-core/blob/develop/doc/API.md
 */
export async function violationsOf(page: Page, parts: readonly string[] = []): Promise<string[]> {
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(AXE);
  const context = parts.length === 0 ? 'document' : JSON.stringify({ include: parts });
  const violations = await page.evaluate<Result[]>(
    `axe.run(${context}, ${JSON.stringify(OPTIONS)}).then(({ violations }) => violations)`,
  );
  const missing = await page.evaluate<string[]>(MISSING);
  return [...violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(', ')}`), ...missing];
}

/** Time limit for the page to show a language. */
const CHANGE_MS = 5_000;

/** Minimum size of a target in CSS pixels. @see https://www.w3.org/TR/WCAG22/#target-size-minimum */
const LEAST = 24;

/**
 * A script for the browser: returns targets smaller than 24 by 24 pixels, without the exceptions of WCAG 2.5.8: a link
 * in a sentence, and a target whose centered circle of 24 pixels touches no other one.
 */
const SMALL_TARGETS = `(() => {
  const selector = 'a[href], button, input, select, textarea, summary, [role=option], [tabindex]:not([tabindex="-1"])';
  // Only for screen readers.
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

/** The landmarks of a page for assistive technology. */
export interface Outline {
  readonly lang: string;
  readonly title: string;
  /** Number of displayed elements of each kind. */
  readonly counts: Readonly<Record<'h1' | 'main' | 'header' | 'status', number>>;
  /** Levels of the headings in order. */
  readonly levels: readonly number[];
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

export interface Focused {
  readonly name: string;
  /** Points of it that are covered, or outside the window. */
  readonly hiddenPoints: number;
}

/** A script for the browser: returns the {@link Focused} element; null: none. */
export const FOCUSED = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  // The visible part of a file input is its label.
  const seen = element.type === 'file' ? element.labels[0] : element;
  const { left, top, width, height } = seen.getBoundingClientRect();
  const parts = [0.1, 0.5, 0.9];
  const points = parts.flatMap((x) => parts.map((y) => [left + width * x, top + height * y]));
  const isHidden = ([x, y]) => {
    const over = document.elementFromPoint(x, y);
    // The button of a field is inside it.
    const own = seen.matches('input') ? seen.parentElement : seen;
    return over === null || !(own.contains(over) || over.contains(seen));
  };
  const name = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent;
  return { name, hiddenPoints: points.filter(isHidden).length };
})()`;

/**
 * A script for the browser: from now on, \`window.spoken\` contains the texts that screen readers announce: changes in
 * an existing status region, and every alert.
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

/** A script for the browser: returns texts that are cut off, are outside the window, or need sideways scrolling. */
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
    // Where spaces are kept, the one at the end of a line hangs over the edge.
    const { whiteSpaceCollapse, fontSize } = getComputedStyle(parentElement);
    const slack = whiteSpaceCollapse === 'preserve' ? parseFloat(fontSize) / 2 : 1;
    const isOutside = (left, right) => rects.some((rect) => rect.left < left - 1 || rect.right > right + slack);
    const isAboveOrBelow = (top, bottom) => rects.some((rect) => rect.top < top - 1 || rect.bottom > bottom + 1);
    for (let box = parentElement; box !== null; box = box.parentElement) {
      const style = getComputedStyle(box);
      // A long name of a guild ends with an ellipsis, and a text for screen readers is clipped.
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
      // A modal is in front of the page, and not cut off by an ancestor.
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

/** A script for the browser: returns all visible and announced texts, except those typed by people. */
const TEXTS = `(() => {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  // An announced text stays in its region, in the language at that time.
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

/** Returns a script for the browser that changes the language with the page's own control, even behind a dialog. */
export const changeLanguage = (language: string) => `(async () => {
  const root = document.documentElement;
  if (root.lang !== '${language}') {
    const find = () => document.querySelector('[popover] select:has(option[lang="${language}"])');
    // A menu has its choices after it was first opened.
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
  // Texts of React Aria for screen readers, which does not support Hindi.
  /Show suggestions|Suggestions|Dismiss/g,
];

/** Returns the texts in another language that are the same as in English, except for names. */
function untranslated(english: readonly string[], texts: readonly string[]): string[] {
  const known = new Set(english);
  const withoutNames = (text: string) => NAMES.reduce((rest, name) => rest.replaceAll(name, ''), text);
  return texts.filter((text) => known.has(text) && /\p{Script=Latin}{2}/u.test(withoutNames(text)));
}

/** Returns the texts that are keys, or templates with an unfilled placeholder. */
function rawKeys(texts: readonly string[]): string[] {
  return texts.filter((text) => /\{\{|\}\}/.test(text) || /^(?:\w+:)?[a-z]\w*(?:\.[a-z][\w-]*)+$/.test(text));
}

export interface Looks {
  /** The languages in which its texts are checked, English first. */
  readonly readIn: readonly string[];
  /** The languages in which axe examines it. */
  readonly operatedIn: readonly string[];
  readonly widths: readonly { readonly width: number; readonly height: number }[];
  readonly colors: readonly ('light' | 'dark')[];
}

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1_280, height: 800 };

const ALL_LANGUAGES = ['en-US', 'es-ES', 'ru', 'ja', 'hi'];

/** All looks in a thorough run, otherwise a few: Russian has the longest texts. */
const LOOKS: Looks = process.env.THOROUGH
  ? { readIn: ALL_LANGUAGES, operatedIn: ALL_LANGUAGES, widths: [PHONE, DESKTOP], colors: ['light', 'dark'] }
  : { readIn: ['en-US', 'ru'], operatedIn: ['en-US'], widths: [PHONE], colors: ['light'] };

/** Expects complete texts, without keys or English in another language. */
export async function expectReadable(page: Page, { readIn, widths }: Looks = LOOKS): Promise<void> {
  const english = new Map<number, readonly string[]>();
  for (const language of readIn) {
    for (const viewport of widths) {
      const { width } = viewport;
      await page.setViewportSize(viewport);
      // The script also waits for the frames in which a list is repositioned.
      await page.evaluate(changeLanguage(language));
      const texts = await page.evaluate<string[]>(TEXTS);
      const cutOff = await page.evaluate<string[]>(CUT_OFF_TEXTS);
      if (language === 'en-US') english.set(width, texts);
      const inEnglish = language === 'en-US' ? [] : untranslated(english.get(width) ?? [], texts);
      expect({ language, width, cutOff, inEnglish, rawKeys: rawKeys(texts) }).toStrictEqual({
        language,
        width,
        cutOff: [],
        inEnglish: [],
        rawKeys: [],
      });
      expect(texts.length).toBeGreaterThan(1);
    }
  }
  await page.evaluate(changeLanguage('en-US'));
}

/** Expects no axe violations, large enough targets, and a usable outline. */
export async function expectOperable(page: Page, { operatedIn, widths, colors }: Looks = LOOKS): Promise<void> {
  for (const language of operatedIn) {
    await page.evaluate(changeLanguage(language));
    for (const [viewport, colorScheme] of widths.flatMap((width) => colors.map((color) => [width, color] as const))) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize(viewport);
      const [violations, smallTargets] = [await violationsOf(page), await page.evaluate(SMALL_TARGETS)];
      expect({ colorScheme, violations, smallTargets }).toEqual({ colorScheme, violations: [], smallTargets: [] });
    }
    const { levels, title, ...outline } = await page.evaluate<Outline>(OUTLINE);
    expect(outline).toEqual({ lang: language, counts: { h1: 1, main: 1, header: 1, status: 1 }, animations: 0 });
    expect([levels[0], title]).toEqual([1, expect.stringMatching(/\S/)]);
    // Levels are not skipped.
    expect(levels.every((level, index) => level <= (levels[index - 1] ?? 1) + 1)).toBe(true);
  }
}

/**
 * Checks the final page of a browser test: with axe, and in a thorough run for cut-off texts at every width and in
 * every language that the page can still load.
 */
export async function lookAtEnd(page: Page): Promise<void> {
  expect(await violationsOf(page), `what axe finds at ${page.url()}`).toEqual([]);
  if (!process.env.THOROUGH) return;
  for (const language of LOOKS.readIn) {
    const change = page.evaluate(changeLanguage(language)).then(() => true);
    // The test may have blocked the texts of a language, or all requests.
    const isChanged = await Promise.race([change.catch(() => false), delay(CHANGE_MS, false)]);
    if (!isChanged) return;
    for (const viewport of LOOKS.widths) {
      await page.setViewportSize(viewport);
      await page.evaluate(changeLanguage(language));
      expect([page.url(), language, await page.evaluate(CUT_OFF_TEXTS)]).toStrictEqual([page.url(), language, []]);
    }
    expect(await violationsOf(page), `what axe finds at ${page.url()} in ${language}`).toEqual([]);
  }
}
