/** Scripts that run in a page. */

/** Parts of a picture in each direction whose mean colors are compared. */
const PARTS = 24;

/** Replaces texts that match patterns. */
export function maskTexts(masks: readonly { readonly pattern: string; readonly text: string }[]): string {
  return `(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      let text = node.data;
      for (const mask of ${JSON.stringify(masks)}) text = text.replaceAll(new RegExp(mask.pattern, 'g'), mask.text);
      if (text !== node.data) node.data = text;
    }
  })()`;
}

/** Resolves when the page is painted as it is. */
export const waitForPaint = `new Promise((resolve) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = () => document.fonts.ready.then(() => resolve());
  channel.port2.postMessage('');
})`;

/** Returns the browser, and how wide it draws a text of the page. */
export const fontsOfPage = `(() => {
  const context = new OffscreenCanvas(1, 1).getContext('2d');
  context.font = getComputedStyle(document.body).font;
  const width = context.measureText('Guild settings, Ольга, हिंदी, 東京, 12 ms').width;
  return navigator.userAgent.match(/Chrome\\/\\d+/)[0] + ', ' + context.font + ': ' + width;
})()`;

/** Returns the most by which mean colors of the same part of two pictures differ, of 255. @param one, other WebP in base64 */
export function colorDifference(one: string, other: string): string {
  return `(async () => {
    const colorsOf = async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes]), {
        resizeWidth: ${PARTS}, resizeHeight: ${PARTS}, resizeQuality: 'high',
      });
      const context = new OffscreenCanvas(${PARTS}, ${PARTS}).getContext('2d');
      context.drawImage(bitmap, 0, 0);
      return context.getImageData(0, 0, ${PARTS}, ${PARTS}).data;
    };
    const [a, b] = [await colorsOf('${one}'), await colorsOf('${other}')];
    return Math.max(...a.map((value, index) => Math.abs(value - b[index])));
  })()`;
}
