// An auction: what is sold and on what terms, then the sealed or the open way of bidding.

import { own } from "../../../core/canonical.ts";
import { auction } from "../../../games/auction.ts";
import { InertText } from "../../components/inert-text.tsx";
import type { BoardProps } from "../board/board-props.ts";
import css from "../board/boards.module.css";
import { EnglishBids } from "./english-bids.tsx";
import { SealedBids } from "./sealed-bids.tsx";

const KINDS = {
  "first-price": "Sealed; the highest bid pays what it says",
  "second-price": "Sealed; the highest bid pays the second amount",
  english: "Open; bids rise until all others pass",
} as const;

export function AuctionBoard(props: BoardProps) {
  const { view } = props;
  const { rules: terms } = view.terms;
  const check = auction.readRules(terms, view.participants, view.share);
  if (!check.ok) return null; // the verdict says what is wrong with the rules
  const { value: rules } = check;
  const item = own(terms, "item");
  const currency = own(terms, "currency");
  const unit = typeof currency === "string" ? currency : "";
  return (
    <section className={css.game}>
      {typeof item === "string" && item !== "" && (
        <p className={css.question}>
          <InertText text={item} />
        </p>
      )}
      <dl className={css.facts}>
        <div>
          <dt>Way</dt>
          <dd>{KINDS[rules.kind]}</dd>
        </div>
        <div>
          <dt>Reserve</dt>
          <dd className="num">
            {String(rules.reserve)} <InertText text={unit} />
          </dd>
        </div>
        {rules.kind === "english" && (
          <div>
            <dt>Least step</dt>
            <dd className="num">{String(rules.increment)}</dd>
          </div>
        )}
      </dl>
      {rules.kind === "english" ? (
        <EnglishBids {...props} rules={rules} unit={unit} />
      ) : (
        <SealedBids {...props} rules={rules} unit={unit} />
      )}
    </section>
  );
}
