import { type Follow, Replica } from '@guild-settings/replica';
import { guildIds, recordOf } from './guilds.ts';

const EPOCH = 'bench';
const PAGE = 500;

export async function filledReplica(path: string, count: number): Promise<Replica> {
  const follow: Follow = async function* ({ signal }) {
    yield { cursor: { epoch: EPOCH, revision: 0 }, event: { type: 'reset', epoch: EPOCH } };
    const all = guildIds(count).map((id, index) => ({ revision: index + 1, guild: recordOf(id, index) }));
    for (let at = 0; at < count; at += PAGE) {
      // Parsed, as from a stream, so that no string is shared.
      const guilds = JSON.parse(JSON.stringify(all.slice(at, at + PAGE)));
      const { revision } = guilds.at(-1);
      yield { cursor: { epoch: EPOCH, revision }, event: { type: 'guilds', revision, guilds } };
    }
    yield { cursor: { epoch: EPOCH, revision: count }, event: { type: 'live', revision: count } };
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  };
  const replica = new Replica({ path, follow });
  replica.start();
  await replica.waitUntilLive();
  return replica;
}
