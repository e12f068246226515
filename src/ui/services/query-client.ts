// The query client. What is read under a hash never goes stale, and nothing is asked again because a window was
// looked at: a caller that wants updates polls or follows a channel.

import { QueryClient } from "@tanstack/react-query";

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: 10 * 60_000,
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: "always", // bundles and the embedded Hub need no network
      },
    },
  });
}
