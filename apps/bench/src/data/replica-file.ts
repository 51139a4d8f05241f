import { type Follow, Replica } from '@guild-settings/replica';
import { guildIds } from './guild-ids.ts';
import { recordOf } from './records.ts';

const EPOCH = 'bench';
const PAGE = 500;

/** A replica that was told of so many guilds, and is up to date. */
export async function filledReplica(path: string, count: number): Promise<Replica> {
  let isThrough = () => {};
  const through = new Promise<void>((resolve) => {
    isThrough = resolve;
  });
  const follow: Follow = async function* ({ signal }) {
    yield { cursor: { epoch: EPOCH, revision: 0 }, event: { type: 'reset', epoch: EPOCH } };
    let all = guildIds(count).map((id, index) => ({ revision: index + 1, guild: recordOf(id, index) }));
    for (let at = 0; at < count; at += PAGE) {
      // As it comes from a stream: no string is shared with anything else.
      const guilds = JSON.parse(JSON.stringify(all.slice(at, at + PAGE)));
      const { revision } = guilds.at(-1);
      yield { cursor: { epoch: EPOCH, revision }, event: { type: 'guilds', revision, guilds } };
    }
    yield { cursor: { epoch: EPOCH, revision: count }, event: { type: 'live', revision: count } };
    // A generator that waits keeps its variables, and what the replica holds is to be measured.
    all = [];
    isThrough();
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  };
  const replica = new Replica({ path, follow });
  replica.start();
  await through;
  return replica;
}
