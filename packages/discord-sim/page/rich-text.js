import { el } from './dom.js';
import { parse } from './markdown.js';
import { channelName, personName, roleName } from './places.js';
import { timestamp } from './timestamps.js';

export function richText(text) {
  return parse(text).map(render);
}

/** Returns a text on one line and without formats. */
export function plainText(text) {
  return richText(text)
    .map(({ textContent }) => textContent)
    .join(' ');
}

function render(node) {
  const children = () => node.children.map(render);
  switch (node.type) {
    case 'text':
      return document.createTextNode(node.text);
    case 'bold':
      return el('strong', {}, ...children());
    case 'italic':
      return el('em', {}, ...children());
    case 'underline':
      return el('u', {}, ...children());
    case 'strike':
      return el('s', {}, ...children());
    case 'spoiler':
      return el('details', { class: 'spoiler' }, el('summary', {}, 'spoiler'), ...children());
    case 'code':
      return el('code', {}, node.text);
    case 'codeblock':
      return el('pre', { tabindex: '0' }, el('code', {}, node.text));
    case 'quote':
      return el('blockquote', {}, ...children());
    case 'heading':
      return el('strong', { class: 'heading' }, ...children());
    case 'subtext':
      return el('small', { class: 'subtext' }, ...children());
    case 'item':
      return el('span', { class: 'item' }, ...children());
    case 'user':
      return el('span', { class: 'mention' }, `@${personName(node.id) ?? 'unknown-user'}`);
    case 'role':
      return el('span', { class: 'mention' }, `@${roleName(node.id) ?? 'deleted-role'}`);
    case 'channel':
      return el('span', { class: 'mention' }, `#${channelName(node.id) ?? 'no-access'}`);
    case 'timestamp':
      return timestamp(node.seconds, node.style);
    case 'command':
      return el('span', { class: 'mention' }, `/${node.text}`);
    case 'everyone':
      return el('span', { class: 'mention' }, node.text);
    case 'link':
      return el('a', { href: node.url, target: '_blank', rel: 'noopener noreferrer' }, node.text);
    default:
      return document.createTextNode(node.text ?? '');
  }
}
