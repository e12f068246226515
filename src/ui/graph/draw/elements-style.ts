// How elements look: cytoscape's stylesheet from the theme's colours. Type by shape and letter, wallet by colour, state
// by outline and shape.

import type { StylesheetJson } from "cytoscape";
import { NODE_SIZE } from "../camera/geometry.ts";
import type { Look } from "./look.ts";

export function elementsStyle(look: Look): StylesheetJson {
  return [...nodeStyle(look), ...edgeStyle(look), ...markStyle(look)];
}

function nodeStyle(look: Look): StylesheetJson {
  return [
    {
      selector: "node",
      style: {
        width: NODE_SIZE,
        height: NODE_SIZE,
        shape: "data(shape)" as never,
        label: "data(letter)",
        "background-color": "data(colour)",
        "border-width": 1.5,
        "border-color": look.ground,
        color: look.inverse,
        "font-family": look.font,
        "font-size": 13,
        "font-weight": 600,
        "text-valign": "center",
        "text-halign": "center",
        "min-zoomed-font-size": 6,
        events: "yes",
      },
    },
    { selector: ".end", style: { width: 1, height: 1, opacity: 0, events: "no", label: "" } },
    { selector: '[type = "tick"][size = 1]', style: { width: 16, height: 16, "font-size": 10 } },
    { selector: '[type = "evidence"]', style: { "text-margin-y": 3 } },
    { selector: "[size > 1]", style: { width: 54, "font-size": 11 } },
    {
      selector: ".hollow",
      style: {
        "background-color": look.ground,
        "border-color": "data(colour)",
        "border-width": 2,
        color: "data(colour)",
      },
    },
    { selector: ".pending", style: { "border-style": "dashed" } },
    { selector: ".unchecked", style: { "border-style": "dotted" } },
    { selector: ".late", style: { "border-style": "double", "border-width": 5 } },
    { selector: ".void", style: { "border-style": "dashed", "border-color": look.fail, color: look.fail } },
    { selector: ".outside", style: { width: 18, height: 18, "font-size": 9 } },
    {
      selector: ".missing",
      style: {
        "border-style": "dashed",
        "border-color": look.ink3,
        color: look.ink3,
        "background-opacity": 0.6,
      },
    },
    {
      selector: ".failed",
      style: {
        "background-color": look.failSoft,
        "border-color": look.fail,
        "border-width": 2.5,
        color: look.fail,
      },
    },
    {
      selector: ".tainted",
      style: {
        "underlay-color": look.fail,
        "underlay-opacity": 0.16,
        "underlay-padding": 5,
      },
    },
  ];
}

function edgeStyle(look: Look): StylesheetJson {
  return [
    {
      selector: "edge",
      style: {
        width: 1.3,
        "line-color": look.lineStrong,
        "curve-style": "straight",
        "target-arrow-shape": "triangle",
        "target-arrow-color": look.lineStrong,
        "arrow-scale": 0.7,
        "target-distance-from-node": 2,
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
        "target-arrow-shape": "none",
      },
    },
    { selector: ".genesis", style: { "line-style": "dotted", "target-arrow-shape": "none" } },
    {
      selector: ".gap",
      style: {
        width: 2,
        "line-style": "dashed",
        "line-color": look.fail,
        "target-arrow-shape": "none",
      },
    },
  ];
}

function markStyle(look: Look): StylesheetJson {
  return [
    { selector: ".dim", style: { opacity: 0.14 } },
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
        "target-arrow-color": look.accent,
        opacity: 1,
        "z-index": 9,
      },
    },
  ];
}
