/** The English texts of the page `transfer`. The other languages have the same keys. */
export const texts = {
  title: 'Export and import',
};
