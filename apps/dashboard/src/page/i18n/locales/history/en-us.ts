/** The English texts of the page `history`. The other languages have the same keys. */
export const texts = {
  title: 'History',
};
