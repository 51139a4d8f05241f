import type { Translated } from '../../texts.ts';
import type { texts as english } from './en-us.ts';

/** The Spanish texts. */
export const texts: Translated<typeof english> = {
  title: 'Ajustes',
};
