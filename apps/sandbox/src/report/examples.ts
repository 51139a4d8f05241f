import { GUILDS, tokenOf } from '../world.ts';

/** A line for a shell, and what it shows. */
export interface Example {
  readonly title: string;
  readonly command: string;
}

/** Three lines that work when they are pasted. */
export function examples(apiUrl: string): readonly [Example, Example, Example] {
  const address = `${apiUrl}/guilds/${GUILDS[0].id}`;
  const asRole = (role: 'manager' | 'member') => `-H 'Authorization: Bearer ${tokenOf(role)}'`;
  const body = JSON.stringify({ prefix: '?', language: 'ja' });
  return [
    { title: "Read a guild's settings", command: `curl -i ${address} ${asRole('manager')}` },
    {
      title: 'Change two of them',
      command: `curl -i -X PATCH ${address} ${asRole('manager')} -H 'Content-Type: application/json' -d '${body}'`,
    },
    { title: 'Be refused: a member without Manage Guild', command: `curl -i ${address} ${asRole('member')}` },
  ];
}
