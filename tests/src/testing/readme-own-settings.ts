import { defineSettings } from '@guild-settings/contract/settings';
import { openReplica } from '@guild-settings/replica';

const label = { 'en-US': 'Volume', ja: '音量' };
const settings = defineSettings({ settings: { volume: { kind: 'integer', min: 0, max: 200, default: 50, label } } });
const service = { apiUrl: 'http://127.0.0.1:3000', credentials: 'sandbox-application-token-0001' };
const replica = openReplica({ ...service, path: './data/replica.db', settings });
console.log(replica.get('197038439483310086').custom.volume / 2); // typed as a number, and read from memory
