import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

const root = document.getElementById('root');
if (root === null) throw new Error('Expected an element with the id "root" in the page');
createRoot(root).render(
  <StrictMode>
    <main>
      <h1>Guild settings</h1>
    </main>
  </StrictMode>,
);
