// The small generated mark beside an address: five by five cells, mirrored, drawn from the address' SHA-256, so that
// two addresses that were made to look alike in their digits have marks that differ.

import { sha256, type Address } from "../../core/values.ts";
import { WALLET_COLOURS, walletColour } from "../theme/theme.ts";

export interface Mark {
  /** Rows of five cells, each row mirrored about its middle. */
  readonly cells: readonly boolean[];
  /** Index of a wallet colour, for where the address has no place among participants. */
  readonly colour: number;
}

const kept = new Map<Address, Mark>();

/** The mark of an address: the same everywhere, for ever. */
export function markOf(address: Address): Mark {
  const known = kept.get(address);
  if (known !== undefined) return known;
  const digest = sha256(address).slice(2);
  const bits = [...digest.slice(0, 15)].map((digit) => Number.parseInt(digit, 16) % 2 === 0);
  const cells: boolean[] = [];
  for (let row = 0; row < 5; row++)
    for (const column of [0, 1, 2, 1, 0]) cells.push(bits[row * 3 + column] === true);
  const mark = { cells, colour: Number.parseInt(digest.slice(15, 17), 16) % WALLET_COLOURS };
  if (kept.size > 4096) kept.clear();
  kept.set(address, mark);
  return mark;
}

/** `place`: the wallet's place among the participants, which gives its colour in this session. */
export function AddressMark({
  address,
  place,
  size = 14,
}: {
  address: Address;
  place?: number | undefined;
  size?: number;
}) {
  const mark = markOf(address);
  const path = mark.cells
    .map((on, i) => (on ? `M${(i % 5) + 1} ${Math.floor(i / 5) + 1}h1v1h-1z` : ""))
    .join("");
  return (
    <svg width={size} height={size} viewBox="0 0 7 7" aria-hidden shapeRendering="crispEdges">
      <path d={path} fill={walletColour(place ?? mark.colour)} />
    </svg>
  );
}
