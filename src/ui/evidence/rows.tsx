// A virtual list of entries: only the rows in view exist, so that 100,000 of them are no burden. Used by the chains, the
// table of the graph and the records.

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type ReactNode } from "react";
import css from "./rows.module.css";

export interface RowsProps {
  readonly label: string;
  readonly count: number;
  readonly columns: readonly string[];
  readonly height?: number;
  /** Cells of a row. */
  readonly cells: (row: number) => readonly ReactNode[];
  readonly selected?: number;
  readonly onSelect?: (row: number) => void;
  /** CSS grid tracks of the columns. */
  readonly tracks: string;
  readonly rowAttributes?: (row: number) => { readonly [name: `data-${string}`]: string };
}

const ROW = 34;

export function Rows({
  label,
  count,
  columns,
  height,
  cells,
  selected,
  onSelect,
  tracks,
  rowAttributes,
}: RowsProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const most = height ?? Math.min(560, ROW * count + 2);
  // eslint-disable-next-line react-hooks/incompatible-library -- the virtualizer's own functions are read while drawing, as it asks
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
    // So that the rows are drawn at once, in React's slices, and not all together after a first drawing without any.
    initialRect: { width: 0, height: most },
  });
  useEffect(() => {
    if (selected !== undefined && selected >= 0) virtual.scrollToIndex(selected, { align: "auto" });
  }, [selected, virtual]);
  return (
    <div className={css.table} role="table" aria-label={label} aria-rowcount={count + 1}>
      <div className={css.head} role="row" style={{ gridTemplateColumns: tracks }}>
        {columns.map((column) => (
          <span key={column} role="columnheader">
            {column}
          </span>
        ))}
      </div>
      <div ref={scroller} className={css.scroller} style={{ height: most }} tabIndex={0} role="rowgroup">
        <div className={css.inside} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => (
            <div
              key={index}
              role="row"
              aria-rowindex={index + 2}
              aria-selected={index === selected}
              className={css.row}
              style={{ transform: `translateY(${start}px)`, gridTemplateColumns: tracks }}
              {...(onSelect !== undefined && { onClick: () => onSelect(index) })}
              {...rowAttributes?.(index)}
            >
              {cells(index).map((cell, i) => (
                <span key={i} role="cell">
                  {cell}
                </span>
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}
