// The shell: a header with the box, the page of the route in force, a footer that says which Hub is asked.

import { lazy, Suspense, type ReactNode } from "react";
import css from "./app.module.css";
import { Icon } from "./components/icon.tsx";
import { LinkButton } from "./components/button.tsx";
import { Notice } from "./components/notice.tsx";
import { Progress } from "./components/progress.tsx";
import { formatRoute, to, type BadRoute, type Route } from "./routes.ts";
import { navigate, useRoute } from "./use-route.ts";

const InspectorPage = lazy(() => import("./inspector/inspector-page.tsx"));
const WalletPage = lazy(() => import("./wallet-page/wallet-page.tsx"));

export function App() {
  const route = useRoute();
  if (route.page === "embed") return <Suspense fallback={<Loading />}>{pageOf(route)}</Suspense>;
  return (
    <>
      <a className={css.skip} href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <header className={css.header}>
        <a className={css.brand} href={to.home()}>
          <Icon name="graph" size={18} />
          <span>Coop Explorer</span>
        </a>
        <nav className={css.nav} aria-label="Places">
          <LinkButton kind="quiet" icon="play" href={to.play()}>
            Play
          </LinkButton>
          <LinkButton kind="quiet" icon="settings" href={to.settings()} aria-label="Settings" />
        </nav>
      </header>
      <main id="main" className={css.main} tabIndex={-1}>
        <Suspense fallback={<Loading />}>{pageOf(route)}</Suspense>
      </main>
    </>
  );
}

function pageOf(route: Route | BadRoute): ReactNode {
  switch (route.page) {
    case "session":
    case "embed": {
      const setParams = (next: URLSearchParams) => {
        next.delete("c"); // the check over the link's text, which is another now
        navigate(formatRoute({ ...route, params: next }), { replace: true });
      };
      return <InspectorPage session={route.session} params={route.params} setParams={setParams} />;
    }
    case "wallet":
      return <WalletPage address={route.address} />;
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
