/** The English texts of the page `settings`. The other languages have the same keys. */
export const texts = {
  title: 'Settings',
};
