#include "report/html_assets.h"

namespace loadline::report {

const std::string_view k_report_style = R"css(
:root {
  color-scheme: light dark;
  --page: #ffffff; --card: #f6f7f9; --line: #dfe3e8; --text: #1b2330; --soft: #5d6878;
  --accent: #1f5fd0; --good: #1a7f46; --warn: #a15c00; --bad: #c0262d;
  --warn-back: #fff6e5; --good-back: #eaf7ef; --bad-back: #fdecec; --shade: #eef0f3;
  --c0: #2563eb; --c1: #d97706; --c2: #059669; --c3: #dc2626;
  --c4: #7c3aed; --c5: #0891b2; --c6: #db2777; --c7: #65a30d;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1b2129; --line: #313a46; --text: #e4e8ee; --soft: #98a3b3;
    --accent: #7aa7ff; --good: #5cc98a; --warn: #f0b04f; --bad: #ff7b7f;
    --warn-back: #2b2415; --good-back: #14271c; --bad-back: #331a1c; --shade: #1d242d;
    --c0: #6ea0ff; --c1: #f5a742; --c2: #3ecf98; --c3: #ff7474;
    --c4: #b18cff; --c5: #45c8e0; --c6: #ff79b8; --c7: #a3d95a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 28px 24px 64px; max-width: 1240px; background: var(--page);
  color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "Noto Sans", "Noto Sans CJK SC", sans-serif;
}
h1 { margin: 0; font-size: 26px; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 40px 0 12px; font-size: 19px; overflow-wrap: anywhere; }
h2 small { font-size: 14px; font-weight: 400; color: var(--soft); }
p { margin: 6px 0; }
.soft, .note { color: var(--soft); }
.note { margin: 2px 0 0; font-size: 13px; }
.state {
  display: inline-block; padding: 1px 10px; border-radius: 999px; font-size: 13px;
  font-weight: 600; vertical-align: 4px; background: var(--card); color: var(--soft);
}
.state.finished, .state.completed { background: var(--good-back); color: var(--good); }
.state.failed, .state.terminated { background: var(--bad-back); color: var(--bad); }
.state.cancelled, .state.aborted { background: var(--warn-back); color: var(--warn); }
h2 .state { vertical-align: 2px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); gap: 12px;
  margin: 20px 0 8px; }
.tile { padding: 12px 16px; border-radius: 8px; background: var(--card); }
.tile b { display: block; font-size: 13px; font-weight: 600; color: var(--soft);
  overflow-wrap: anywhere; }
.tile strong { font-size: 25px; font-weight: 650; }
.tile span { color: var(--soft); font-size: 14px; }
.verdicts { margin: 16px 0 0; padding: 0; list-style: none; }
.verdicts li { margin: 0 0 8px; padding: 8px 14px; border-left: 4px solid var(--line);
  border-radius: 4px; background: var(--card); overflow-wrap: anywhere; }
.verdicts .warning { border-color: var(--warn); background: var(--warn-back); }
.verdicts .none { border-color: var(--good); background: var(--good-back); }
.verdicts code { font-weight: 600; }
.verdicts .warning code { color: var(--warn); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 5px 10px; text-align: right; white-space: nowrap;
  border-bottom: 1px solid var(--line); }
th { font-size: 13px; font-weight: 600; line-height: 1.25; white-space: normal;
  color: var(--soft); vertical-align: bottom; }
th.text, td.text { text-align: left; }
td.wide { white-space: normal; overflow-wrap: anywhere; min-width: 160px; }
tr.same td:first-child { color: transparent; }
td.bad { color: var(--bad); font-weight: 600; }
tr.sub td { color: var(--soft); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(520px, 100%), 1fr));
  gap: 22px 28px; }
.chart { margin: 0; min-width: 0; break-inside: avoid; }
.charts .chart:only-child { max-width: 720px; }
figcaption { font-weight: 600; }
.unit { font-weight: 400; color: var(--soft); }
.legend { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 2px 0 4px; padding: 0;
  list-style: none; font-size: 13px; color: var(--soft); }
.legend i { display: inline-block; width: 16px; margin-right: 6px; border-top: 3px solid;
  vertical-align: 4px; }
.legend .dashed i { border-top-style: dotted; }
.plot { position: relative; }
svg { display: block; width: 100%; height: auto; }
.grid path { stroke: var(--line); stroke-width: 1; fill: none; }
.label text { font-size: 12.5px; fill: var(--soft); font-variant-numeric: tabular-nums; }
.line { fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linejoin: round;
  stroke-linecap: round; }
.line.dashed { stroke-dasharray: 2 5; }
.band { fill: currentColor; stroke: none; opacity: 0.18; }
.shade { fill: var(--shade); }
.c0 i, .line.c0, .band.c0, .cursor .c0 { color: var(--c0); }
.c1 i, .line.c1, .band.c1, .cursor .c1 { color: var(--c1); }
.c2 i, .line.c2, .band.c2, .cursor .c2 { color: var(--c2); }
.c3 i, .line.c3, .band.c3, .cursor .c3 { color: var(--c3); }
.c4 i, .line.c4, .band.c4, .cursor .c4 { color: var(--c4); }
.c5 i, .line.c5, .band.c5, .cursor .c5 { color: var(--c5); }
.c6 i, .line.c6, .band.c6, .cursor .c6 { color: var(--c6); }
.c7 i, .line.c7, .band.c7, .cursor .c7 { color: var(--c7); }
.muted i, .line.muted, .cursor .muted { color: var(--soft); }
.cursor path { stroke: var(--soft); stroke-width: 1; }
.cursor circle { fill: currentColor; stroke: var(--page); stroke-width: 1.5; }
.tip { position: absolute; z-index: 1; padding: 6px 10px; border: 1px solid var(--line);
  border-radius: 6px; background: var(--page); box-shadow: 0 2px 8px #0003; font-size: 13px;
  pointer-events: none; white-space: nowrap; font-variant-numeric: tabular-nums; }
.tip div { display: flex; justify-content: space-between; gap: 14px; }
dl { display: grid; grid-template-columns: minmax(120px, max-content) 1fr; gap: 3px 20px;
  margin: 0; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.terms dd { max-width: 90ch; white-space: normal; }
details { margin: 10px 0; }
summary { cursor: pointer; font-weight: 600; }
pre { overflow-x: auto; padding: 12px 14px; border-radius: 8px; background: var(--card);
  font: 13px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
code { font: 13.5px/1.4 ui-monospace, "DejaVu Sans Mono", monospace; }
footer { margin-top: 44px; padding-top: 12px; border-top: 1px solid var(--line);
  color: var(--soft); font-size: 13px; }
@media print {
  :root { color-scheme: light; --page: #fff; --card: #f6f7f9; --line: #cfd4da; --text: #000;
    --soft: #444; --warn: #8a4b00; --good: #14603a; --bad: #a01218; --warn-back: #fff6e5;
    --good-back: #eaf7ef; --bad-back: #fdecec; --shade: #eef0f3;
    --c0: #2563eb; --c1: #d97706; --c2: #059669; --c3: #dc2626;
    --c4: #7c3aed; --c5: #0891b2; --c6: #db2777; --c7: #65a30d; }
  * { print-color-adjust: exact; }
  body { max-width: none; padding: 0; font-size: 11px; }
  th, td { padding: 3px 5px; }
  th { font-size: 10px; }
  .scroll { overflow: visible; }
  .charts { grid-template-columns: 1fr 1fr; gap: 14px; }
  h2 { break-after: avoid; }
  details { display: none; }
}
)css";

const std::string_view k_report_script = R"js(
"use strict";
// Shows the values of a chart under the pointer; the chart itself needs no script.
for (const figure of document.querySelectorAll("figure.chart")) {
  const data = JSON.parse(figure.querySelector("script").textContent);
  const plot = figure.querySelector(".plot");
  const svg = plot.querySelector("svg");
  const cursor = svg.querySelector(".cursor");
  const tip = plot.querySelector(".tip");
  if (data.x.length === 0) continue;

  const share = (a, v) =>
    a.log ? Math.log(v / a.least) / Math.log(a.most / a.least) : (v - a.least) / (a.most - a.least);
  const place = (a, v) => a.from + Math.min(1, Math.max(0, share(a, v))) * (a.to - a.from);
  const pixels = data.x.map(v => place(data.xAxis, v));

  const digits = v => v === 0 ? "0" : v < 9.995 ? v.toFixed(2) : v < 99.95 ? v.toFixed(1)
    : v.toFixed(0);
  const latency = ns => ns < 1e3 ? ns + " ns" : ns < 999.5e3 ? digits(ns / 1e3) + " \u00b5s"
    : ns < 999.5e6 ? digits(ns / 1e6) + " ms" : digits(ns / 1e9) + " s";
  const value = v => data.latency ? latency(v) : digits(v) + " " + data.unit;
  const two = n => String(n).padStart(2, "0");
  const moment = s => s < 120 ? s.toFixed(1) + " s"
    : Math.floor(s / 3600) + ":" + two(Math.floor(s / 60) % 60) + ":" + two(Math.floor(s) % 60);
  const percentile = x => {
    const q = 100 * (1 - 1 / x);
    return "p" + q.toFixed(Math.max(0, Math.min(5, Math.ceil(Math.log10(x)) - 1)));
  };
  const element = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    return made;
  };
  const row = (left, right) => {
    const made = document.createElement("div");
    for (const text of [left, right]) {
      const cell = document.createElement("span");
      cell.textContent = text;
      made.append(cell);
    }
    return made;
  };

  const show = event => {
    const box = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / box.width;
    const at = (event.clientX - box.left) * scale;
    let nearest = 0;
    for (let i = 1; i < pixels.length; ++i) {
      if (Math.abs(pixels[i] - at) < Math.abs(pixels[nearest] - at)) nearest = i;
    }
    const x = pixels[nearest];
    cursor.replaceChildren(
      element("path", {d: `M${x} ${data.yAxis.to}V${data.yAxis.from}`}));
    tip.replaceChildren(row((data.time ? moment : percentile)(data.x[nearest]), ""));
    for (const line of data.lines) {
      const y = line.y[nearest];
      if (y === null) continue;
      tip.append(row(line.name, value(y)));
      cursor.append(element("circle",
        {cx: x, cy: place(data.yAxis, y), r: 4, class: line.class}));
    }
    tip.hidden = false;
    const left = x / scale + 14;
    const room = box.width - tip.offsetWidth;
    tip.style.left = (left > room ? Math.max(0, x / scale - tip.offsetWidth - 14) : left) + "px";
    tip.style.top = Math.max(0, event.clientY - box.top - tip.offsetHeight - 12) + "px";
  };
  svg.addEventListener("pointermove", show);
  svg.addEventListener("pointerdown", show);
  svg.addEventListener("pointerleave", () => {
    cursor.replaceChildren();
    tip.hidden = true;
  });
}
)js";

}  // namespace loadline::report
