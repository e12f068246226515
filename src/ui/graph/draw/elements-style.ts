// How elements look: cytoscape's stylesheet from the theme's colours. Shape says what kind of entry it is, filling,
// hatching, strike and star what became of it, the colour whose it is.

import type { StylesheetJson } from "cytoscape";
import { NODE_HEIGHT } from "../faces/node-drawing.ts";
import type { Look } from "./look.ts";

export function elementsStyle(look: Look): StylesheetJson {
  return [...nodeStyle(look), ...iconStyle(look), ...edgeStyle(look), ...markStyle(look)];
}

function nodeStyle(look: Look): StylesheetJson {
  return [
    {
      selector: "node",
      style: {
        width: "data(width)",
        height: NODE_HEIGHT,
        shape: "data(shape)" as never,
        "corner-radius": "data(radius)",
        label: "data(text)",
        "background-color": look.ground,
        "border-width": 2,
        "border-color": "data(colour)",
        color: look.ink,
        "font-family": look.font,
        "font-size": 12,
        "font-weight": 600,
        "text-valign": "center",
        "text-halign": "center",
        "min-zoomed-font-size": 6,
        events: "yes",
      },
    },
    { selector: ".end", style: { width: 1, height: 1, opacity: 0, events: "no", label: "" } },
    { selector: ".solid", style: { "background-color": "data(colour)", color: look.inverse } },
    {
      selector: ".quiet",
      style: { "border-color": look.ink3, "border-width": 1.2, color: look.ink2, "font-size": 11 },
    },
    { selector: ".border-dashed", style: { "border-style": "dashed" } },
    { selector: ".border-dotted", style: { "border-style": "dotted" } },
    { selector: ".border-double", style: { "border-style": "double", "border-width": 5 } },
    {
      selector: ".fail",
      style: {
        "background-color": look.failSoft,
        "border-color": look.fail,
        "border-width": 2.5,
        color: look.fail,
      },
    },
    {
      selector: ".star",
      style: { "outline-width": 2, "outline-color": "data(colour)", "outline-offset": 2.5 },
    },
    {
      selector: ".tainted",
      style: { "underlay-color": look.fail, "underlay-opacity": 0.16, "underlay-padding": 5 },
    },
  ];
}

/** Small pictures inside the nodes: lock, hatching and strike. */
function iconStyle(look: Look): StylesheetJson {
  const lock = (colour: string) => ({
    "background-image": lockImage(colour),
    "background-width": "12px",
    "background-height": "12px",
    "background-position-x": "8px",
  });
  const struck = {
    "background-image": [hatchImage(look.lineStrong), strikeImage(look.ink)],
    "background-repeat": ["repeat", "no-repeat"],
    "background-width": ["7px", "100%"],
    "background-height": ["7px", "2px"],
    "background-position-x": ["0", "50%"],
    "background-position-y": ["0", "50%"],
    color: look.ink2,
  };
  return [
    { selector: ".lock", style: { ...lock(look.ink), "text-margin-x": 7 } as never },
    { selector: ".lock.solid", style: lock(look.inverse) as never },
    { selector: ".shut", style: { ...lock(look.ink), "background-position-x": "50%" } as never },
    { selector: ".struck", style: struck as never },
    {
      selector: ".shut.struck, .lock.struck",
      style: {
        "background-image": [...struck["background-image"], lockImage(look.ink2)],
        "background-repeat": ["repeat", "no-repeat", "no-repeat"],
        "background-width": ["7px", "100%", "12px"],
        "background-height": ["7px", "2px", "12px"],
        "background-position-x": ["0", "50%", "50%"],
        "background-position-y": ["0", "50%", "50%"],
      } as never,
    },
  ];
}

function image(width: number, height: number, content: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none">${content}</svg>`;
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}

function lockImage(colour: string): string {
  return image(
    16,
    16,
    `<path d="M3 7h10v7H3z" fill="${colour}"/><path d="M5 7V5a3 3 0 016 0v2" fill="none" stroke="${colour}" stroke-width="1.8"/>`,
  );
}

function hatchImage(colour: string): string {
  return image(
    14,
    14,
    `<path d="M-2 16L16 -2M-9 9L9 -9M5 23L23 5" stroke="${colour}" stroke-width="2.6" fill="none"/>`,
  );
}

function strikeImage(colour: string): string {
  return image(40, 2, `<path d="M0 0h40v2H0z" fill="${colour}"/>`);
}

function edgeStyle(look: Look): StylesheetJson {
  return [
    {
      selector: "edge",
      style: {
        width: 1.3,
        "line-color": look.lineStrong,
        "curve-style": "straight",
        // An edge is kept from the entry that refers to what it refers to; the arrow shows time: what was seen by whom.
        "source-arrow-shape": "triangle",
        "source-arrow-color": look.lineStrong,
        "arrow-scale": 0.8,
        "source-distance-from-node": 2,
        events: "no",
      },
    },
    {
      selector: ".chain",
      style: {
        width: 3,
        "line-color": "data(colour)",
        "line-opacity": 0.55,
        "curve-style": "haystack",
        "haystack-radius": 0,
        "source-arrow-shape": "none",
      },
    },
    { selector: ".genesis", style: { "line-style": "dotted", "source-arrow-shape": "none" } },
    {
      selector: ".gap",
      style: { width: 2, "line-style": "dashed", "line-color": look.fail, "source-arrow-shape": "none" },
    },
  ];
}

function markStyle(look: Look): StylesheetJson {
  return [
    { selector: ".dim", style: { opacity: 0.14 } },
    { selector: ".unlit", style: { opacity: 0.3 } },
    {
      selector: "node.selected",
      style: {
        "outline-width": 3,
        "outline-color": look.accent,
        "outline-offset": 3,
        opacity: 1,
        "z-index": 10,
      },
    },
    {
      selector: "edge.near",
      style: {
        width: 2.4,
        "line-color": look.accent,
        "line-opacity": 1,
        "source-arrow-color": look.accent,
        opacity: 1,
        "z-index": 9,
      },
    },
  ];
}
