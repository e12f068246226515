// `formatRecent` with the names of this reader.

import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useBotAddress } from "../play/page-bot.ts";
import type { RecentSession } from "../services/recent.ts";
import { useAddressBook } from "../services/stores.tsx";
import { useEnvironment } from "../services/use-environment.ts";
import { keysQuery } from "../services/vault-keys.ts";
import { formatRecent } from "./format-recent.ts";
import { givenNames } from "./reader.ts";

export function useFormatRecent(): (session: RecentSession) => string {
  const { vault } = useEnvironment();
  const keys = useQuery(keysQuery(vault)).data;
  const bot = useBotAddress();
  const book = useAddressBook((state) => state.names);
  return useCallback(
    (session) => formatRecent(session, { given: givenNames(book, keys ?? []), bot }),
    [book, keys, bot],
  );
}
