import { GUILDS, tokenOf } from '@guild-settings/discord-sim/testing/world';

export interface Example {
  readonly title: string;
  readonly command: string;
}

export function examples(apiUrl: string): readonly [Example, Example, Example] {
  const url = `${apiUrl}/guilds/${GUILDS[0].id}`;
  const asRole = (role: 'manager' | 'member') => `-H 'Authorization: Bearer ${tokenOf(role)}'`;
  const body = JSON.stringify({ prefix: '?', language: 'ja' });
  return [
    { title: "Read a guild's settings", command: `curl -i ${url} ${asRole('manager')}` },
    {
      title: 'Change two of them, and wait until the bot uses them',
      command: `curl -i -X PATCH ${url} ${asRole('manager')} -H 'Content-Type: application/json' -H 'Prefer: wait=2' -d '${body}'`,
    },
    { title: 'Be refused: a member without Manage Guild', command: `curl -i ${url} ${asRole('member')}` },
  ];
}
