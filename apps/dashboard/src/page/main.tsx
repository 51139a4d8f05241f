import './design/base.css';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { applyTheme, savedTheme } from './app/frame.tsx';
import { loadApp, Start } from './app/start.tsx';
import { deleteEndedDrafts } from './draft/kept-drafts.ts';
import { startTranslations } from './i18n/i18n.ts';
import { appIcon } from './service/identity.ts';
import { readSession } from './session/read-session.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('Expected an element with the id "root" in the page');
applyTheme(savedTheme());
const icon = appIcon();
if (icon !== undefined) document.querySelector('link[rel=icon]')?.setAttribute('href', icon);
// A tab that was closed at the time of a logout may be opened again.
deleteEndedDrafts();
const opened = readSession();
// Loads while React starts. A failure is shown where the promise is used.
opened.then((session) => (session === null ? undefined : loadApp())).catch(() => undefined);
startTranslations().then(
  () =>
    // In small steps: at once, it would block a phone for a tenth of a second.
    startTransition(() =>
      createRoot(root).render(
        <StrictMode>
          <Start opened={opened} />
        </StrictMode>,
      ),
    ),
  () => {
    // The connection was lost between the program and its texts, so the text is only available in English.
    root.textContent = 'This page could not be loaded. Check your connection, then load it again.';
    addEventListener('online', () => location.reload());
  },
);
