import './design/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { createQueryClient } from './app/query-client.ts';
import { applyTheme, savedTheme } from './design/theme.ts';
import { startTranslations } from './i18n/i18n.ts';
import { sessionQuery } from './session/session.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('Expected an element with the id "root" in the page');
applyTheme(savedTheme());
const client = createQueryClient();
// Asked while the texts are loaded.
void client.prefetchQuery(sessionQuery);
await startTranslations();
createRoot(root).render(<App client={client} />);
