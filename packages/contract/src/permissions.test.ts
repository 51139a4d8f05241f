import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BOT_PERMISSION_BITS, inviteUrl, mayManageGuild } from './permissions.ts';

describe('managing a guild', () => {
  test('is for the owner, without any bit', () => {
    expect(mayManageGuild({ owner: true, permissions: 0n })).toBe(true);
  });

  test('depends on bits 3 and 5 alone', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), (permissions) => {
        const bits = permissions.toString(2).split('').reverse();
        expect(mayManageGuild({ owner: false, permissions })).toBe(bits[3] === '1' || bits[5] === '1');
      }),
    );
  });
});

describe('the invitation of the bot', () => {
  const application = { authorizeUrl: 'https://discord.com/oauth2/authorize', applicationId: '80351110224678912' };

  test('requests View Channel, Send Messages, Read Message History and Send Messages in Threads', () => {
    expect(BOT_PERMISSION_BITS).toBe(274_877_975_552n);
    expect(inviteUrl(application)).toBe(
      'https://discord.com/oauth2/authorize?client_id=80351110224678912&scope=bot+applications.commands&permissions=274877975552',
    );
  });

  test('of one guild leaves no choice', () => {
    const { searchParams } = new URL(inviteUrl({ ...application, guild: '197038439483310086' }));
    expect(searchParams.get('guild_id')).toBe('197038439483310086');
    expect(searchParams.get('disable_guild_select')).toBe('true');
  });
});
