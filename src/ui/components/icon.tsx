// Icons drawn for this app on a 16 px grid, 1.5 px strokes, in the colour of the text around them.
// Decorative unless a label is given.

const PATHS = {
  check: "M3 8.5l3.2 3.2L13 4.8",
  cross: "M4 4l8 8M12 4l-8 8",
  dash: "M3.5 8h9",
  clock: "M8 14.2A6.2 6.2 0 108 1.8a6.2 6.2 0 000 12.4zM8 4.6V8l2.4 1.6",
  warn: "M8 2.2l6.3 11.3H1.7zM8 6.4v3.2M8 11.6v.1",
  info: "M8 14.2A6.2 6.2 0 108 1.8a6.2 6.2 0 000 12.4zM8 7.4v3.8M8 4.8v.1",
  fork: "M8 14V9.5M8 9.5C8 7 4 7.5 4 3M8 9.5C8 7 12 7.5 12 3M2.6 4.4L4 2.8l1.4 1.6M10.6 4.4L12 2.8l1.4 1.6",
  copy: "M5.5 5.5h7.8v7.8H5.5zM10.5 5.3V2.7H2.7v7.8h2.6",
  share: "M8 10V2.2M5.2 4.8L8 2l2.8 2.8M3 8.5v5h10v-5",
  link: "M6.7 9.3l2.6-2.6M7.2 5.2l1.9-1.9a2.6 2.6 0 013.6 3.6l-1.9 1.9M8.8 10.8l-1.9 1.9a2.6 2.6 0 01-3.6-3.6l1.9-1.9",
  download: "M8 2.2V10M5.2 7.4L8 10.2l2.8-2.8M2.8 13.4h10.4",
  upload: "M8 10.2V2.4M5.2 5.2L8 2.4l2.8 2.8M2.8 13.4h10.4",
  search: "M7 11.8a4.8 4.8 0 100-9.6 4.8 4.8 0 000 9.6zM10.5 10.5l3.6 3.6",
  sun: "M8 10.8a2.8 2.8 0 100-5.6 2.8 2.8 0 000 5.6zM8 1.2v1.4M8 13.4v1.4M1.2 8h1.4M13.4 8h1.4M3.2 3.2l1 1M11.8 11.8l1 1M12.8 3.2l-1 1M4.2 11.8l-1 1",
  moon: "M13.4 9.6A5.8 5.8 0 016.4 2.6a5.8 5.8 0 107 7z",
  monitor: "M2 3h12v8H2zM5.5 13.6h5M8 11v2.4",
  play: "M5 3l8 5-8 5z",
  right: "M6 3.5L10.5 8 6 12.5",
  left: "M10 3.5L5.5 8l4.5 4.5",
  down: "M3.5 6L8 10.5 12.5 6",
  up: "M3.5 10L8 5.5l4.5 4.5",
  external: "M9.2 2.6h4.2v4.2M13.2 2.8L7.4 8.6M11 9.4v4H2.6V5h4",
  key: "M5.3 13.2a2.9 2.9 0 100-5.8 2.9 2.9 0 000 5.8zM7.4 8.3l5.8-5.8M10.6 5l2 2",
  people:
    "M6 7.8a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM1.6 13.4c.3-2.4 2-3.8 4.4-3.8s4.1 1.4 4.4 3.8M10.6 3.1a2.4 2.4 0 010 4.5M12 9.9c1.4.5 2.2 1.7 2.4 3.5",
  eye: "M1.4 8S4 3.6 8 3.6 14.6 8 14.6 8 12 12.4 8 12.4 1.4 8 1.4 8zM8 9.9a1.9 1.9 0 100-3.8 1.9 1.9 0 000 3.8z",
  lock: "M3.4 7.2h9.2v6.4H3.4zM5.4 7V4.8a2.6 2.6 0 015.2 0V7",
  refresh: "M13.2 8a5.2 5.2 0 11-1.6-3.7M13.4 2.4v2.8h-2.8",
  settings:
    "M2 4.5h6.2M11.8 4.5H14M2 11.5h2.2M7.8 11.5H14M10 6.3a1.8 1.8 0 100-3.6 1.8 1.8 0 000 3.6zM6 13.3a1.8 1.8 0 100-3.6 1.8 1.8 0 000 3.6z",
  keyboard: "M1.6 4h12.8v8H1.6zM4 6.6h.1M6.6 6.6h.1M9.2 6.6h.1M11.8 6.6h.1M5 9.4h6",
  shield: "M8 1.8l5.2 1.9v4c0 3.2-2.1 5.3-5.2 6.5-3.1-1.2-5.2-3.3-5.2-6.5v-4zM5.6 7.9l1.7 1.7 3.1-3.3",
  graph:
    "M3.4 5.2a1.8 1.8 0 100-3.6 1.8 1.8 0 000 3.6zM12.6 9.8a1.8 1.8 0 100-3.6 1.8 1.8 0 000 3.6zM3.4 14.4a1.8 1.8 0 100-3.6 1.8 1.8 0 000 3.6zM3.4 5.2v5.6M5 4.2l6 3M5 11.8l6-3",
  chain: "M2 3.4h12M2 8h12M2 12.6h12",
  filter: "M2 3.4h12L9.4 8.6v4.8l-2.8-1.6V8.6z",
  offline:
    "M2 2l12 12M1.4 6.2A9.6 9.6 0 014.2 4.4M7.2 3.7a9.4 9.4 0 017.4 2.5M3.8 8.7a6 6 0 012.8-1.6M9.8 7.2a6 6 0 012.4 1.5M8 12.4v.1",
  live: "M8 9.4a1.4 1.4 0 100-2.8 1.4 1.4 0 000 2.8zM4.6 11.4a4.8 4.8 0 010-6.8M11.4 4.6a4.8 4.8 0 010 6.8M2.5 13.5a7.8 7.8 0 010-11M13.5 2.5a7.8 7.8 0 010 11",
  file: "M3.6 1.8h5.6l3.2 3.2v9.2H3.6zM9 2v3.2h3.2",
  bin: "M2.6 4.2h10.8M6 4V2.4h4V4M4 4.4l.6 9.2h6.8l.6-9.2M6.6 7v4M9.4 7v4",
  plus: "M8 3v10M3 8h10",
  qr: "M2.2 2.2h4.4v4.4H2.2zM9.4 2.2h4.4v4.4H9.4zM2.2 9.4h4.4v4.4H2.2zM9.4 9.4h1.6v1.6M13.8 9.4v4.4h-2.2M9.4 13.8h.1",
  rock: "M4.4 4.6L8 2.6l4 2 1.6 4-2 4H5L2.4 9.4zM4.4 4.6L6.8 7l5.2-2.4M6.8 7L5 12.4",
  paper: "M4 1.8h8v12.4H4zM6 5h4M6 8h4M6 11h2.4",
  scissors: "M4 6a2 2 0 100-4 2 2 0 000 4zM4 14a2 2 0 100-4 2 2 0 000 4zM5.6 5.2L14 12.4M5.6 10.8L14 3.6",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16, label }: { name: IconName; size?: number; label?: string }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...(label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label })}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
