// The shell: header, the page of the route in force, the keys and the drop zone. Pages come when they are asked for.

import { lazy, Suspense, useEffect, type ReactNode } from "react";
import css from "./app.module.css";
import { BlockedStorage } from "./blocked-storage.tsx";
import { LinkButton } from "../components/button.tsx";
import { ErrorBoundary } from "../components/error-boundary.tsx";
import { Notice } from "../components/notice.tsx";
import { Progress } from "../components/progress.tsx";
import { DropZone } from "../search/drop-zone.tsx";
import { HomePage } from "../home/home-page.tsx";
import { Keys } from "./keys-sheet.tsx";
import { markShown, whenShown } from "../services/first-picture.ts";
import { formatRoute, titleOf, to, type BadRoute, type Route } from "../routing/routes.ts";
import { Header } from "./shell-header.tsx";
import { navigate, useRoute } from "../routing/use-route.ts";

const HeldLogs = lazy(async () => {
  await whenShown();
  return { default: (await import("./held-logs.tsx")).HeldLogs };
});
const InspectorPage = lazy(() => import("../inspector/inspector-page.tsx"));
const SamplePage = lazy(() => import("../inspector/sample-page.tsx"));
const WalletPage = lazy(() => import("../wallet/wallet-page.tsx"));
const ComparePage = lazy(() => import("../compare/compare-page.tsx"));
const EmbedPage = lazy(() => import("../embed/embed-page.tsx"));
const SettingsPage = lazy(() => import("../settings/settings-page.tsx"));
const PlayPage = lazy(() => import("../play/start/play-page.tsx"));
const JoinPage = lazy(() => import("../play/invite/join-page.tsx"));
const BoardPage = lazy(() => import("../play/board/board-page.tsx"));

export function App() {
  const route = useRoute();
  useEffect(() => {
    document.title = titleOf(route);
    // A session marks its own first picture: its verdict.
    if (route.page !== "session" && route.page !== "sample") markShown();
  }, [route]);
  const page = (
    // A new route is a new attempt: what failed elsewhere is not shown here.
    <ErrorBoundary key={placeOf(route)}>
      <Suspense fallback={<Loading />}>
        {isFrame() && route.page !== "embed" ? <NoFrame /> : pageOf(route)}
      </Suspense>
    </ErrorBoundary>
  );
  if (route.page === "embed" || isFrame()) return page;
  return (
    <>
      <a className={css.skip} href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <Header withSearch={route.page !== "home"} />
      <main id="main" className={css.main} tabIndex={-1}>
        <BlockedStorage />
        <Suspense fallback={null}>
          <HeldLogs />
        </Suspense>
        {page}
      </main>
      <Keys />
      <DropZone />
    </>
  );
}

/** A page whose content is missing. */
function placeOf(route: Route | BadRoute): string {
  if ("session" in route) return `${route.page} ${route.session}`;
  if ("address" in route) return `${route.page} ${route.address}`;
  if ("invite" in route) return `${route.page} ${route.invite}`;
  if (route.page === "sample") return `sample ${route.name}`;
  return route.page;
}

function pageOf(route: Route | BadRoute): ReactNode {
  const setParams = (next: URLSearchParams) => {
    next.delete("c"); // the check over an audit link's text, which is another now
    if ("params" in route) navigate(formatRoute({ ...route, params: next }), { replace: true });
  };
  switch (route.page) {
    case "home":
      return <HomePage />;
    case "session":
      return <InspectorPage session={route.session} params={route.params} setParams={setParams} />;
    case "sample":
      return <SamplePage name={route.name} params={route.params} setParams={setParams} />;
    case "embed":
      return <EmbedPage session={route.session} params={route.params} />;
    case "board":
      return <BoardPage session={route.session} params={route.params} setParams={setParams} />;
    case "wallet":
      return <WalletPage address={route.address} />;
    case "compare":
      return <ComparePage params={route.params} setParams={setParams} />;
    case "play":
      return <PlayPage params={route.params} />;
    case "join":
      return <JoinPage invite={route.invite} params={route.params} />;
    case "settings":
      return <SettingsPage />;
    case "bad":
      return (
        <Notice
          large
          kind="warn"
          title="This link is not valid"
          action={<LinkButton href={to.home()}>Home</LinkButton>}
        >
          {route.why}
        </Notice>
      );
  }
}

/**
 * Framed, or at `/embed`, which a server lets others frame: there is nothing but a verdict then, and no keys within a
 * stranger's frame. On a file server no header forbids framing, and the frame's owner chooses its address.
 */
function isFrame(): boolean {
  return window.top !== window.self || /\/embed\/?$/.test(window.location.pathname);
}

function NoFrame() {
  return (
    <Notice large kind="warn" title="There is no verdict to show here">
      The address of a frame ends in embed#/embed/s/&lt;session id&gt;.
    </Notice>
  );
}

function Loading() {
  return (
    <div className={css.loading}>
      <Progress label="Loading" />
    </div>
  );
}

/** The route is behind `#`, so the skip link moves the focus itself instead of changing the address. */
function skipToMain(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
