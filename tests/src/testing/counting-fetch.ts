/** The real fetch, and the requests it has sent. */
export function countingFetch(): { readonly fetch: typeof fetch; readonly requests: readonly string[] } {
  const requests: string[] = [];
  return {
    requests,
    fetch: (input, init) => {
      requests.push(String(input));
      return fetch(input, init);
    },
  };
}
