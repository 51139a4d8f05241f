import type { FollowEvent } from '@guild-settings/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { type FollowState, followGuild } from '../service/follow-guild.ts';
import { readLevelAgain } from './guilds.ts';

/** Follows the events of a guild while the component is mounted. Returns true while they arrive. */
export function useGuildEvents(guild: string, onEvent: (event: FollowEvent) => void): FollowState {
  const client = useQueryClient();
  const [state, setState] = useState<FollowState>('connecting');
  const receive = useEffectEvent((event: FollowEvent) => {
    if (event.type === 'access') readLevelAgain(client, guild);
    onEvent(event);
  });
  useEffect(() => {
    const controller = new AbortController();
    void followGuild({
      guild,
      onEvent: (event) => receive(event),
      onState: setState,
      // The events after the loss follow, or the complete record.
      onLost: async () => {},
      signal: controller.signal,
    });
    return () => controller.abort();
  }, [guild]);
  return state;
}
