/** Wraps `fetch` and records the URLs of its requests. */
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
