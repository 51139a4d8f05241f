import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { useTranslation } from 'react-i18next';
import { router } from './router.tsx';

/** The page with everything that its parts share. */
export function App({ client }: { readonly client: QueryClient }): ReactNode {
  const { i18n } = useTranslation();
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <I18nProvider locale={i18n.language}>
          <RouterProvider router={router} />
        </I18nProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}
