import type { Translated } from '../../texts.ts';
import type { texts as english } from './en-us.ts';

/** The Hindi texts. */
export const texts: Translated<typeof english> = {
  title: 'सेटिंग्स',
};
