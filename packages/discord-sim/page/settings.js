const NAMES = ['person', 'guild', 'channel', 'locale'];

/** The selected user, guild and channel. Stored in the URL, so that every tab has its own and a reload keeps them. */
export const settings = read();

export function choose(change) {
  Object.assign(settings, change);
  const chosen = NAMES.flatMap((name) => (settings[name] ? [[name, settings[name]]] : []));
  history.replaceState(null, '', `#${new URLSearchParams(chosen)}`);
}

function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(NAMES.map((name) => [name, given.get(name)]));
}
