/** The English texts of the page `sessions`. The other languages have the same keys. */
export const texts = {
  title: 'Your sessions',
};
