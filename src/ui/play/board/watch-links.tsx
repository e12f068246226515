// Links for who only looks on: whatever keys its reader has, a page opened by them never signs. Of a private session there
// are two: one shows the order of entries, the other opens the moves to all who get it.

import { useQuery } from "@tanstack/react-query";
import { toBase64url } from "../../../core/bytes.ts";
import type { View } from "../../../core/view.ts";
import { Copy } from "../../components/copy.tsx";
import { to } from "../../routing/routes.ts";
import { appUrl } from "../../routing/use-route.ts";
import { domainKeyQuery } from "../../services/domain-key.ts";
import { useEnvironment } from "../../services/use-environment.ts";
import { WatchLink } from "./watch-link.tsx";

export function WatchLinks({ view }: { view: View }) {
  const { store } = useEnvironment();
  const key = useQuery(domainKeyQuery(store, view.sealed ? undefined : view.terms.domain)).data ?? null;
  const link = (more: { readonly [name: string]: string }) =>
    `${appUrl()}${to.board(view.session, new URLSearchParams({ watch: "1", ...more }))}`;
  return (
    <>
      <WatchLink link={link({})} />
      {key !== null && (
        <Copy
          text={link({ k: toBase64url(key) })}
          label="Copy a watch link with the key"
          words
          kind="quiet"
          size="s"
        />
      )}
    </>
  );
}
