// Where one lands: what this is in one sentence, search, a game against the bot, examples, what was opened lately.

import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { LinkButton } from "../components/button.tsx";
import { Progress } from "../components/progress.tsx";
import { to } from "../routing/routes.ts";
import { SearchBar } from "../search/search-bar.tsx";
import css from "./home-page.module.css";
import { groupSamples } from "./group-samples.ts";
import { PlayNow } from "./play-now.tsx";
import { RecentSessions } from "./recent-sessions.tsx";
import { routeOfSample, samplesQuery } from "./samples.ts";

export function HomePage() {
  return (
    <div className={css.page}>
      <section className={css.top}>
        <h1>Play, and check that nobody cheated.</h1>
        <p className={css.lead}>
          Every move here is a signed entry in its player’s log. This page checks every signature, link and
          rule in your own browser, and tells you who moved, in what order, and who won.
        </p>
        <div className={css.actions}>
          <PlayNow />
          <LinkButton size="l" icon="people" href={to.play()}>
            Play with a friend
          </LinkButton>
          <p className="faint">Rock, paper, scissors against the bot, with a throw-away key. No account.</p>
        </div>
        <SearchBar large />
      </section>
      <div className={css.lists}>
        <Samples />
        <Suspense fallback={null}>
          <RecentSessions />
        </Suspense>
      </div>
    </div>
  );
}

function Samples() {
  const samples = useQuery(samplesQuery);
  return (
    <section>
      <h2 className={css.heading}>Examples</h2>
      {samples.isPending && <Progress label="Loading the examples" />}
      {(samples.isError || samples.data?.length === 0) && (
        <p className="faint">This host has no examples. Everything else works.</p>
      )}
      {groupSamples(samples.data ?? []).map((group) => (
        <div key={group.title} className={css.group}>
          <h3>{group.title}</h3>
          <ul className={css.list}>
            {group.samples.map((sample) => (
              <li key={sample.file}>
                <a className={`${css.item} ${css.sample}`} href={routeOfSample(sample)}>
                  <span className={css.title}>{sample.title}</span>
                  <span className={css.says}>{sample.says}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
