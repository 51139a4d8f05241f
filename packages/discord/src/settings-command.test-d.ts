import { createGuildSettingsClient } from '@guild-settings/client';
import { defineSettings } from '@guild-settings/contract/settings';
import { openReplica } from '@guild-settings/replica';
import type { ChatInputApplicationCommandData } from 'discord.js';
import { expectTypeOf } from 'vitest';
import type { reportPresence, SettingsCommandOptions, settingsCommandData } from './index.ts';

const settings = defineSettings({
  settings: {
    rate: { kind: 'number', min: 0, max: 9, decimals: 2, default: 1, label: { 'en-US': 'Rate' } },
    roles: { kind: 'role', many: { max: 5 }, label: { 'en-US': 'Roles' } },
  },
});

// Client and replica may have the types of a team's settings.
const service = createGuildSettingsClient({ url: 'http://127.0.0.1:3000', token: 'token', settings });
expectTypeOf(service).toExtend<SettingsCommandOptions['service']>();
expectTypeOf(service).toExtend<Parameters<typeof reportPresence>[1]>();
const replica = openReplica({ apiUrl: 'http://127.0.0.1:3000', credentials: 'token', path: 'replica.db', settings });
expectTypeOf(replica).toExtend<SettingsCommandOptions['replica']>();

// The data is accepted by discord.js and Sapphire.
expectTypeOf<ReturnType<typeof settingsCommandData>>().toExtend<ChatInputApplicationCommandData>();
