import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './theme.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { createQueryClient } from './query-client.ts';
import { askToSignIn, createPageRouter } from './router.tsx';
import { cssVariables, theme } from './theme.ts';

export function App() {
  const [{ queryClient, router }] = useState(createParts);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-right" limit={3} autoClose={6000} />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function createParts() {
  const queryClient = createQueryClient((wasChange) => askToSignIn(router, queryClient, wasChange));
  const router = createPageRouter(queryClient);
  return { queryClient, router };
}
