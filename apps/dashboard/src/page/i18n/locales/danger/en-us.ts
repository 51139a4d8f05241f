/** The English texts of the page `danger`. The other languages have the same keys. */
export const texts = {
  title: 'Erase',
};
