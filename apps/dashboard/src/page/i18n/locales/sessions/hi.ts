import type { Translated } from '@guild-settings/i18n';
import type { texts as english } from './en-us.ts';

export const texts: Translated<typeof english> = {
  title: 'सेशन',
  intro: 'आप कहाँ-कहाँ लॉग इन हैं। जिसे न पहचानें, उसे खत्म करें।',
  current: 'यह ब्राउज़र',
  unknownDevice: 'अनजान डिवाइस',
  started: 'लॉग इन: {{time}}',
  used: 'पिछला इस्तेमाल: {{time}}',
  end: 'खत्म करें',
  endName: 'सेशन खत्म करें: {{device}}',
  ended: 'सेशन खत्म हुआ: {{device}}',
  endAll: 'सभी सेशन खत्म करें',
  allHeading: 'सभी सेशन खत्म करें?',
  allText: 'आप हर जगह से लॉग आउट हो जाएँगे, यहाँ से भी। सहेजा हुआ कुछ नहीं खोएगा।',
  allUnsaved: 'जो बदलाव सहेजे नहीं गए हैं, वे हट जाएँगे।',
  cancel: 'रहने दें',
  failed: 'सेशन खत्म नहीं हो सका। फिर कोशिश करें।',
};
