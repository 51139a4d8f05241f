import { replaceEqualDeep } from '@tanstack/react-query';
import { changesOf, type Draft, NOTHING_SENT, settled, type Theirs } from './draft.ts';
import { FIELDS, hasSameValue, pick, SCALAR_FIELDS, without } from './fields.ts';

/**
 * Takes over what the service has. Edits stay. A draft that has it already is returned as it is.
 * @param when `newer`: an answer that may have been overtaken by a later one is ignored
 */
export function received(draft: Draft, theirs: Theirs, when: 'newer' | 'always' = 'newer'): Draft {
  const known = draft.theirs;
  if (when === 'newer' && theirs.upTo < known.upTo) return draft;
  // The author of another value is not the one of the value before.
  const same = FIELDS.filter((field) => hasSameValue(field, known.settings, theirs.settings));
  const changedBy = { ...pick(known.changedBy, same), ...theirs.changedBy };
  const changed = replaceEqualDeep(known, { ...theirs, changedBy });
  if (changed === known) return draft;
  const isMet = (list: readonly string[]) => (name: string) => list.includes(name) === draft.switched.get(name);
  const [before, now] = [isMet(known.settings.enabledFeatures), isMet(theirs.settings.enabledFeatures)];
  const switchedBack = [...draft.switched.keys()].filter((name) => before(name) && !now(name));
  return settled({ ...draft, theirs: changed, overruled: new Set([...draft.overruled, ...switchedBack]) });
}

/** Remembers what is sent: meanwhile the person goes on. */
export function sent(draft: Draft): Draft {
  return { ...draft, ...NOTHING_SENT, sent: changesOf(draft), sentSwitched: draft.switched };
}

/**
 * Takes over the answer to what was sent. What was set since then stays, as an edit of the saved value.
 * The answer may be older than what is known: a later change of others stays, with its author, and so does what the person decided on it.
 */
export function saved(draft: Draft, theirs: Theirs): Draft {
  let { mine, base } = draft;
  for (const field of SCALAR_FIELDS) {
    const value = draft.sent[field];
    if (value === undefined || !Object.hasOwn(mine, field) || draft.decided.includes(field)) continue;
    if (mine[field] === value) [mine, base] = [without(mine, field), without(base, field)];
    else base = { ...base, [field]: value };
  }
  const { sentSwitched, decidedFeatures } = draft;
  const isAnswered = (name: string) => sentSwitched.has(name) && !decidedFeatures.includes(name);
  const switched = new Map(
    [...draft.switched].filter(([name, isOn]) => !isAnswered(name) || sentSwitched.get(name) !== isOn),
  );
  const known = draft.theirs;
  const changedBy = Object.fromEntries(
    Object.entries(known.changedBy).filter(
      ([field, { revision }]) => !Object.hasOwn(draft.sent, field) || revision > theirs.upTo,
    ),
  );
  const answered = received({ ...draft, theirs: { ...known, changedBy }, mine, base, switched }, theirs);
  const overruled = new Set([...answered.overruled].filter((name) => !isAnswered(name)));
  return settled({ ...answered, ...NOTHING_SENT, overruled });
}

/**
 * Takes over the result of an own undo: what was typed over a value that it has replaced is an edit of the restored value.
 * @param restored the values before the change that was undone
 */
export function undone(draft: Draft, theirs: Theirs, restored: Draft['base']): Draft {
  const { mine, base } = draft;
  const { settings, upTo } = draft.theirs;
  // Another value than the restored one is a change of others.
  const fields = SCALAR_FIELDS.filter(
    (field) =>
      Object.hasOwn(mine, field) &&
      Object.hasOwn(restored, field) &&
      base[field] === settings[field] &&
      restored[field] === theirs.settings[field],
  );
  if (theirs.upTo < upTo || fields.length === 0) return received(draft, theirs);
  return received({ ...draft, base: { ...base, ...pick(restored, fields) } }, theirs);
}

/** Ends the sending without success. @param theirs what the service said that it has */
export function refused(draft: Draft, theirs?: Theirs): Draft {
  const unsent = settled({ ...draft, ...NOTHING_SENT });
  return theirs === undefined ? unsent : received(unsent, theirs, 'always');
}
