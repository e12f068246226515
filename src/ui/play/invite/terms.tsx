// What an invite offers, in words: before one joins. Everything in it is a stranger's text: inert.

import type { ReactNode } from "react";
import { own, type Json, type JsonObject } from "../../../core/canonical.ts";
import type { Offer } from "../../../invite/invite.ts";
import { shortAddressText } from "../../components/short-address.ts";
import { InertText } from "../../components/inert-text.tsx";
import { formatMatch } from "../format-match.ts";
import { gameTitle } from "../games.ts";
import { formatDefaultOutcome } from "./offers.ts";
import css from "../play.module.css";

export interface TermsProps {
  readonly offer: Offer;
  /** How many take part, where it is known. */
  readonly seats?: number;
}

export function Terms({ offer, seats }: TermsProps) {
  const { rules, game, deadline } = offer;
  return (
    <dl className={css.terms}>
      {offer.title !== undefined && <Row name="Title" text={offer.title} />}
      <Row name="Game" text={gameTitle(game)} />
      <Row name="How it goes" text={formatMatch(game, rules)} />
      {rowsOf(game, rules).map(([name, text]) => (
        <Row key={name} name={name} text={text} />
      ))}
      {offer.private === true && (
        <Row
          name="Private"
          text="Only the players, and whoever gets the link with the key, can read the moves"
        />
      )}
      <Row
        name="Entries"
        text={
          seats === undefined
            ? `${deadline} in all, shared equally; when somebody has used its share, the session closes`
            : `${Math.floor((deadline - 1) / seats)} for each of ${seats}; when somebody has used them, the session closes`
        }
      />
      <Row
        name="If a player stops responding"
        text={formatDefaultOutcome(offer.default_outcome, (wallet) => shortAddressText(wallet, [wallet]))}
      />
    </dl>
  );
}

function Row({ name, text }: { name: string; text: string }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <InertText text={text} />
      </dd>
    </div>
  );
}

/** The rules that are set, by the names people know them by. */
function rowsOf(game: string, rules: JsonObject): readonly (readonly [string, string])[] {
  return (LABELS[game] ?? []).flatMap(([rule, label]): (readonly [string, string])[] => {
    const value = own(rules, rule);
    return value === undefined ? [] : [[label, textOf(value)]];
  });
}

const LABELS: { readonly [game: string]: readonly (readonly [string, string])[] } = {
  rps: [["best_of", "Best of"]],
  vote: [
    ["options", "Options"],
    ["ballot", "Ballot"],
    ["quorum", "Quorum"],
    ["patience", "Patience"],
  ],
  auction: [
    ["item", "What is sold"],
    ["kind", "Way of bidding"],
    ["reserve", "Reserve"],
    ["increment", "Least step"],
    ["currency", "Currency"],
    ["patience", "Patience"],
  ],
  compare: [
    ["question", "Question"],
    ["by", "Who is ahead"],
    ["target", "Target"],
    ["patience", "Patience"],
  ],
};

function textOf(value: Json): string {
  if (Array.isArray(value)) return value.map((one: Json) => textOf(one)).join(", ");
  return typeof value === "object" && value !== null ? "…" : String(value);
}
