// The shell: a header with the box, the page of the route in force, a footer that says which Hub is asked.

import { lazy, Suspense, type ReactNode } from "react";
import css from "./app.module.css";
import { IconButton, LinkButton } from "./components/button.tsx";
import { Notice } from "./components/notice.tsx";
import { Progress } from "./components/progress.tsx";
import { Box } from "./home/box.tsx";
import { DropZone } from "./home/drop-zone.tsx";
import { HomePage } from "./home/home-page.tsx";
import { Keys } from "./keys-sheet.tsx";
import { formatRoute, to, type BadRoute, type Route } from "./routes.ts";
import { usePreferences } from "./stores/stores.tsx";
import { THEME_CHOICES } from "./theme/theme.ts";
import { navigate, useRoute } from "./use-route.ts";

const InspectorPage = lazy(() => import("./inspector/inspector-page.tsx"));
const WalletPage = lazy(() => import("./wallet-page/wallet-page.tsx"));
const ComparePage = lazy(() => import("./compare/compare-page.tsx"));
const EmbedPage = lazy(() => import("./embed/embed-page.tsx"));
const SettingsPage = lazy(() => import("./settings/settings-page.tsx"));
const PlayPage = lazy(() => import("./play/play-page.tsx"));
const JoinPage = lazy(() => import("./play/join-page.tsx"));
const BoardPage = lazy(() => import("./play/board-page.tsx"));

export function App() {
  const route = useRoute();
  if (route.page === "embed" || isFrame())
    return <Suspense fallback={<Loading />}>{route.page === "embed" ? pageOf(route) : <NoFrame />}</Suspense>;
  return (
    <>
      <a className={css.skip} href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <header className={css.header}>
        <a className={css.brand} href={to.home()}>
          <Mark />
          <span className={css.brandName}>Coop Explorer</span>
        </a>
        {route.page !== "home" && (
          <div className={css.box}>
            <Box />
          </div>
        )}
        <nav className={css.nav} aria-label="Places">
          <LinkButton kind="quiet" icon="play" href={to.play()} title="Play" aria-label="Play">
            <span className={css.wide}>Play</span>
          </LinkButton>
          <ThemeSwitch />
          <LinkButton
            kind="quiet"
            icon="settings"
            href={to.settings()}
            aria-label="Settings"
            title="Settings"
          />
        </nav>
      </header>
      <main id="main" className={css.main} tabIndex={-1}>
        <Suspense fallback={<Loading />}>{pageOf(route)}</Suspense>
      </main>
      <Keys />
      <DropZone />
    </>
  );
}

function pageOf(route: Route | BadRoute): ReactNode {
  switch (route.page) {
    case "embed":
      return <EmbedPage session={route.session} params={route.params} />;
    case "session": {
      const setParams = (next: URLSearchParams) => {
        next.delete("c"); // the check over the link's text, which is another now
        navigate(formatRoute({ ...route, params: next }), { replace: true });
      };
      return <InspectorPage session={route.session} params={route.params} setParams={setParams} />;
    }
    case "wallet":
      return <WalletPage address={route.address} />;
    case "home":
      return <HomePage />;
    case "play":
      return <PlayPage params={route.params} />;
    case "join":
      return <JoinPage invite={route.invite} />;
    case "board":
      return (
        <BoardPage
          session={route.session}
          params={route.params}
          setParams={(next) => navigate(formatRoute({ ...route, params: next }), { replace: true })}
        />
      );
    case "compare":
      return (
        <ComparePage
          params={route.params}
          setParams={(params) => navigate(formatRoute({ ...route, params }), { replace: true })}
        />
      );
    case "settings":
      return <SettingsPage />;
    case "bad":
      return (
        <Notice
          large
          kind="warn"
          title="This link leads nowhere"
          action={<LinkButton href={to.home()}>Home</LinkButton>}
        >
          {route.why}
        </Notice>
      );
    default:
      return <Notice large kind="empty" title="Nothing here yet" />;
  }
}

/** Three states in turn: as the system, light, dark. */
function ThemeSwitch() {
  const theme = usePreferences((state) => state.theme);
  const set = usePreferences((state) => state.set);
  const next = THEME_CHOICES[(THEME_CHOICES.indexOf(theme) + 1) % THEME_CHOICES.length]!;
  const icon = { system: "monitor", light: "sun", dark: "moon" } as const;
  return (
    <IconButton
      icon={icon[theme]}
      label={`Theme: ${theme}. Change to ${next}`}
      onClick={() => set({ theme: next })}
    />
  );
}

function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden fill="none" stroke="currentColor">
      <path d="M1.5 6h17M1.5 14h17M6.5 6l7 8" strokeWidth="1.6" strokeLinecap="round" />
      <circle cx="6.5" cy="6" r="2.4" fill="currentColor" stroke="none" />
      <circle cx="13.5" cy="14" r="2.4" fill="currentColor" stroke="none" />
    </svg>
  );
}

/** Only `/embed` may be framed by others, and it shows nothing but a verdict: no keys are within a stranger's frame. */
function isFrame(): boolean {
  return /\/embed\/?$/.test(window.location.pathname);
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
