// What an invite offers, in words: before one joins.

import { own } from "../../core/canonical.ts";
import type { Offer } from "../../peer/invite.ts";
import { InertText } from "../components/inert-text.tsx";
import { sayDefault } from "./offers.ts";
import css from "./play.module.css";

export function Terms({ offer }: { offer: Offer }) {
  const best = own(offer.rules, "best_of");
  const share = Math.floor((offer.deadline - 1) / 2);
  return (
    <dl className={css.terms}>
      {offer.title !== undefined && (
        <div>
          <dt>Title</dt>
          <dd>
            <InertText text={offer.title} />
          </dd>
        </div>
      )}
      <div>
        <dt>Game</dt>
        <dd>
          {offer.game === "rps" ? "Rock, paper, scissors" : <InertText text={offer.game} />}
          {typeof best === "number" && best > 1 && `, best of ${best}`}
        </dd>
      </div>
      <div>
        <dt>Entries</dt>
        <dd>{share} for each of you; when a side has used them, the session closes</dd>
      </div>
      <div>
        <dt>If somebody falls silent</dt>
        <dd>{sayDefault(offer.default_outcome, (wallet) => wallet)}</dd>
      </div>
    </dl>
  );
}
