import { alteredColor, mapColors } from '../../picture/index.ts';

const variables = (colors: object) =>
  Object.entries(colors)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';');

const light = `--back: #eef1f5;
--card: #fff;
--soft: #566070;
--line: #d8dde5;
--edge: #868f9c;
--accent: #1f5fc4;
--on-accent: #fff;
--bad: #b3263d;
--good: #1a7446;
${variables(mapColors.light)}`;
const dark = `--back: #0e1218;
--card: #171d25;
--soft: #9aa5b5;
--line: #2b3440;
--edge: #6d7a8c;
--accent: #7fb0ff;
--on-accent: #0e1218;
--bad: #ff8c9b;
--good: #5fd096;
${variables(mapColors.dark)}`;

/** The attribute `data-theme` overrides the colour scheme of the system. */
const style = `:root {
  color-scheme: light;
  ${light};
}
@media (prefers-color-scheme: dark) {
  :root:not([data-theme="light"]) {
    color-scheme: dark;
    ${dark};
  }
}
:root[data-theme="dark"] {
  color-scheme: dark;
  ${dark};
}
* {
  box-sizing: border-box;
  min-width: 0;
}
html {
  -webkit-text-size-adjust: 100%;
}
html,
body {
  height: 100%;
}
body {
  margin: 0;
  background: var(--back);
  color: var(--text);
  font:
    14px / 1.45 system-ui,
    sans-serif;
}
#app {
  height: 100%;
  display: grid;
  grid-template: auto minmax(0, 1fr) auto / minmax(0, 1fr) clamp(20rem, 30vw, 27rem);
  grid-template-areas: "head head" "stage side" "time side";
}
header > button {
  margin-left: auto;
}
header > button + button {
  margin-left: 0;
}
header {
  grid-area: head;
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.3rem 1rem;
  padding: 0.5rem 0.9rem;
  background: var(--card);
  border-bottom: 1px solid var(--line);
}
h1 {
  font-size: 1rem;
  margin: 0;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.about {
  color: var(--soft);
  font-size: 0.85rem;
  flex: 1 1 8rem;
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.mono,
code,
pre {
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  font-size: 0.9em;
}
.soft,
small {
  color: var(--soft);
}
.bad {
  color: var(--bad) !important;
}
button {
  font: inherit;
  color: inherit;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 7px;
  padding: 0.25rem 0.6rem;
  cursor: pointer;
  min-height: 2rem;
}
::placeholder {
  color: var(--soft);
  opacity: 1;
}
a {
  color: var(--accent);
}
header > a,
.rooms a {
  color: inherit;
  text-decoration: none;
  border: 1px solid var(--line);
  border-radius: 7px;
  padding: 0.25rem 0.6rem;
  line-height: 1.5rem;
}
header > a {
  margin-left: auto;
}
header > a ~ button {
  margin-left: 0;
}
a:hover,
button:hover {
  border-color: var(--accent);
}
:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 1px;
}
button[aria-pressed="true"],
button.main:enabled {
  background: var(--accent);
  border-color: var(--accent);
  color: var(--on-accent);
}
.search {
  display: flex;
  flex-wrap: wrap;
  gap: 0.35rem;
  align-items: center;
  flex: 0 1 30rem;
}
.search input {
  flex: 1 1 9rem;
  font:
    13px ui-monospace,
    Menlo,
    Consolas,
    monospace;
  color: inherit;
  background: var(--back);
  border: 1px solid var(--line);
  border-radius: 7px;
  padding: 0.3rem 0.6rem;
  min-height: 2rem;
}
.search output {
  flex-basis: 100%;
  font-size: 0.85rem;
  color: var(--good);
  white-space: pre-wrap;
  font-family: ui-monospace, Menlo, Consolas, monospace;
}
.search output:empty {
  display: none;
}
.stage {
  grid-area: stage;
  position: relative;
  display: flex;
  flex-direction: column;
  overflow: hidden;
}
.view {
  position: relative;
  flex: 1;
  min-height: 0;
  overflow: hidden;
}
.stage canvas {
  display: block;
  width: 100%;
  height: 100%;
  touch-action: none;
  cursor: grab;
}
.stage canvas:active {
  cursor: grabbing;
}
.body h3.right {
  border-top: 2px solid var(--accent);
  padding-top: 0.6rem;
  margin-top: 1.4rem;
}
.stage canvas:focus-visible {
  outline-offset: -3px;
}
.tools {
  position: absolute;
  right: 0.6rem;
  top: 0.6rem;
  display: flex;
  flex-direction: column;
  gap: 0.3rem;
}
.tools button {
  width: 2.2rem;
  padding: 0.2rem;
  box-shadow: 0 1px 3px #0003;
}
.layers summary {
  list-style: none;
  width: 2.2rem;
  min-height: 2rem;
  line-height: 2rem;
  text-align: center;
  cursor: pointer;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 7px;
  box-shadow: 0 1px 3px #0003;
}
.layers summary::-webkit-details-marker {
  display: none;
}
.layers[open] summary {
  background: var(--accent);
  border-color: var(--accent);
  color: var(--on-accent);
}
.layer-list {
  position: absolute;
  right: 2.7rem;
  top: 0;
  max-height: 32vh;
  overflow-y: auto;
  display: flex;
  flex-direction: column;
  padding: 0.4rem 0.7rem;
  background: var(--card);
  border: 1px solid var(--edge);
  border-radius: 7px;
  box-shadow: 0 3px 14px #0004;
  white-space: nowrap;
}
.layer-list label {
  display: flex;
  gap: 0.4rem;
  align-items: center;
  min-height: 1.7rem;
  cursor: pointer;
}
.sound {
  position: relative;
}
.sound label {
  display: grid;
  place-items: center;
  width: 2.2rem;
  min-height: 2.15rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 7px;
  cursor: pointer;
}
.sound label:has(:focus-visible) {
  outline: 2px solid var(--accent);
}
.sound label:not(:has(:checked)) {
  color: var(--soft);
  text-decoration: line-through 2px;
}
.sound input {
  position: absolute;
}
.sound input[type="checkbox"] {
  inset: 0;
  width: 100%;
  height: 100%;
  margin: 0;
  opacity: 0;
  cursor: pointer;
}
.sound input[type="range"] {
  z-index: 3;
  right: 0;
  top: 100%;
  width: 9rem;
  height: 2.2rem;
  padding: 0 0.5rem;
  background: var(--card);
  border: 1px solid var(--edge);
  border-radius: 7px;
}
.sound:not(:hover, :focus-within) input[type="range"] {
  display: none;
}
.tools .sound input[type="range"] {
  right: 100%;
  top: 0;
}

.legend {
  flex: none;
  display: flex;
  flex-wrap: wrap;
  gap: 0.15rem 1rem;
  max-height: 4.2rem;
  overflow: auto;
  list-style: none;
  margin: 0;
  padding: 0.3rem 0.9rem;
  font-size: 0.82rem;
  background: var(--card);
  border-top: 1px solid var(--line);
}
.legend li {
  flex: none;
  display: flex;
  align-items: center;
  gap: 0.35rem;
  white-space: nowrap;
}
.legend i {
  flex: none;
  width: 0.85rem;
  height: 0.85rem;
  border: 1px solid var(--wallEdge);
  border-radius: 2px;
}
.legend i.round {
  border-radius: 50%;
}
.legend i.side {
  border-width: 3px;
}
.legend i.state {
  border: 2px dashed ${alteredColor};
  outline: 1px solid var(--wallEdge);
}
.timeline {
  grid-area: time;
  background: var(--card);
  border-top: 1px solid var(--line);
  padding: 0.5rem 0.9rem 0.6rem;
}
.track {
  position: relative;
  padding-bottom: 0.35rem;
}
input[type="range"] {
  width: 100%;
  margin: 0;
  height: 1.4rem;
  appearance: none;
  background: none;
  cursor: pointer;
}
input[type="range"]::-webkit-slider-runnable-track {
  height: 6px;
  border-radius: 3px;
  background: linear-gradient(90deg, var(--accent) var(--share, 0%), var(--line) var(--share, 0%));
}
input[type="range"]::-moz-range-track {
  height: 6px;
  border-radius: 3px;
  background: var(--line);
}
input[type="range"]::-moz-range-progress {
  height: 6px;
  border-radius: 3px;
  background: var(--accent);
}
input[type="range"]::-webkit-slider-thumb {
  appearance: none;
  width: 16px;
  height: 16px;
  margin-top: -5px;
  border-radius: 50%;
  background: var(--accent);
  border: 2px solid var(--card);
}
input[type="range"]::-moz-range-thumb {
  width: 12px;
  height: 12px;
  border-radius: 50%;
  background: var(--accent);
  border: 2px solid var(--card);
}
.controls {
  display: flex;
  flex-wrap: wrap;
  gap: 0.4rem 1.1rem;
  align-items: center;
}
.group {
  display: flex;
  gap: 0.25rem;
  align-items: center;
}
.group button {
  min-width: 2.2rem;
}
.speed {
  min-width: 2.9rem;
  text-align: center;
  font-variant-numeric: tabular-nums;
}
.now {
  contain: content;
  display: flex;
  flex-wrap: wrap;
  gap: 0.1rem 1rem;
  align-items: baseline;
  margin-left: auto;
}
.hash {
  display: flex;
  flex-wrap: wrap;
  gap: 0 0.5rem;
}
.verdict {
  color: var(--good);
  font-size: 0.85rem;
}
.unseen {
  position: absolute;
  clip-path: inset(50%);
}
.panels {
  grid-area: side;
  display: flex;
  flex-direction: column;
  background: var(--card);
  border-left: 1px solid var(--line);
  overflow: hidden;
}
.tabs {
  display: flex;
  flex-wrap: wrap;
  flex: none;
  border-bottom: 1px solid var(--line);
  padding: 0.3rem 0.4rem 0;
  gap: 0.1rem;
}
.tabs button {
  flex: 1 0 auto;
  border: 0;
  border-bottom: 3px solid transparent;
  border-radius: 6px 6px 0 0;
  padding: 0.3rem 0.2rem;
  color: var(--soft);
  background: none;
}
.tabs:has(#tab-failure) button {
  font-size: 0.9em;
}
.tabs button[aria-selected="true"] {
  color: var(--text);
  border-bottom-color: var(--accent);
  font-weight: 600;
}
.body {
  flex: 1;
  overflow: auto;
  padding: 0.6rem 0.9rem 1.2rem;
}
.body .drawing {
  overflow-x: auto;
}
.body h2 {
  font-size: 1.05rem;
  margin: 0.1rem 0 0.4rem;
  overflow-wrap: anywhere;
}
.body h3 {
  font-size: 0.8rem;
  text-transform: uppercase;
  letter-spacing: 0.04em;
  color: var(--soft);
  margin: 1rem 0 0.25rem;
}
.body .tick {
  margin: 0.7rem 0 0.1rem;
  font-size: 0.85rem;
  text-transform: none;
  letter-spacing: 0;
}
.body table {
  width: 100%;
  border-collapse: collapse;
}
.body th,
.body td {
  text-align: left;
  vertical-align: top;
  padding: 0.16rem 0;
  border-top: 1px solid var(--line);
  overflow-wrap: anywhere;
}
.body th {
  font-weight: 400;
  color: var(--soft);
  width: 42%;
  padding-right: 0.6rem;
}
.body ul {
  list-style: none;
  margin: 0;
  padding: 0;
}
.body li {
  content-visibility: auto;
  contain-intrinsic-height: auto 1.6rem;
  display: flex;
  gap: 0.5rem;
  align-items: baseline;
  padding: 0.08rem 0;
}
.body li span {
  overflow-wrap: anywhere;
}
.count {
  margin-left: 0.4rem;
  font-weight: 400;
}
.id {
  min-height: 1.5rem;
  padding: 0 0.4rem;
  border-radius: 5px;
  font:
    12px / 1.5 ui-monospace,
    Menlo,
    Consolas,
    monospace;
  color: var(--accent);
  background: none;
  flex: none;
}
.id.chosen {
  background: var(--accent);
  color: var(--on-accent);
}
.list {
  display: inline-flex;
  flex-wrap: wrap;
  gap: 0.2rem 0.35rem;
}
.event {
  margin: 0.15rem 0;
  overflow-wrap: anywhere;
}
.event small {
  display: block;
  font-size: 0.8rem;
}
.attribute {
  display: flex;
  gap: 0.6rem;
  align-items: center;
}
.meter {
  flex: 1;
  height: 6px;
  border-radius: 3px;
  background: var(--line);
  overflow: hidden;
}
.meter i {
  display: block;
  height: 100%;
  background: var(--accent);
}
.condition {
  padding: 0.1rem 0 0.1rem 0.6rem;
}
.condition small {
  display: block;
}
.filter {
  flex: none;
  margin: 0.5rem 0.9rem 0;
  font: inherit;
  color: inherit;
  background: var(--back);
  border: 1px solid var(--line);
  border-radius: 7px;
  padding: 0.2rem 0.6rem;
  min-height: 2rem;
}
.link {
  min-height: 0;
  border: 0;
  padding: 0;
  background: none;
  color: var(--accent);
  text-align: left;
  overflow-wrap: anywhere;
  border-radius: 3px;
}
.link:hover {
  text-decoration: underline;
}
.body .link code {
  overflow-wrap: anywhere;
}
.small {
  min-height: 1.6rem;
  padding: 0 0.5rem;
  font-size: 0.82rem;
  margin: 0.1rem 0.3rem 0.1rem 0;
}
.json:not(:hover) {
  display: -webkit-box;
  -webkit-line-clamp: 3;
  -webkit-box-orient: vertical;
  overflow: hidden;
}
.stepper {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.2rem 0.4rem;
  margin: 0.3rem 0;
}
.body h2 .small {
  margin-left: 0.6rem;
  font-weight: 400;
  vertical-align: middle;
}
.spark {
  position: relative;
  display: block;
  height: 14px;
  margin: 0.1rem 0 0.2rem;
  background: color-mix(in srgb, var(--line) 45%, transparent);
  border-radius: 2px;
  overflow: hidden;
}
.spark.large {
  height: 64px;
  border-radius: 4px;
  margin: 0.4rem 0 0;
}
.spark i,
.plot > i {
  position: absolute;
  inset: 0;
  background: var(--accent);
  opacity: 0.75;
}
.spark b {
  position: absolute;
  top: 0;
  bottom: 0;
  width: 1.5px;
  background: var(--text);
}
.range {
  margin: 0;
  font-size: 0.8rem;
}
.answer {
  margin: 0.5rem 0 0.2rem;
  overflow-wrap: anywhere;
}
.write {
  margin: 0.2rem 0;
}
.note {
  margin: 0.2rem 0;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}
.body ul.causes {
  border-left: 3px solid var(--line);
  padding-left: 0.7rem;
  margin: 0.2rem 0 0.6rem;
}
.body ul.causes li {
  display: block;
  padding: 0.15rem 0;
  overflow-wrap: anywhere;
}
.read {
  display: block;
  padding-left: 0.9rem;
}
.part {
  border-left: 3px solid var(--accent);
  padding-left: 0.7rem;
  margin: 0.3rem 0 0.5rem;
}
.event.current {
  background: color-mix(in srgb, var(--accent) 16%, transparent);
  border-radius: 4px;
}
.event.later .mono {
  color: var(--soft);
}
.body details summary {
  cursor: pointer;
  color: var(--soft);
  padding: 0.3rem 0;
}
.code {
  margin: 0.5rem 0;
  border: 1px solid var(--line);
  border-radius: 7px;
  overflow: hidden;
  font:
    12px / 1.5 ui-monospace,
    SFMono-Regular,
    Menlo,
    Consolas,
    monospace;
}
.line {
  display: flex;
  gap: 0.4rem;
  width: 100%;
  min-height: 1.6rem;
  align-items: baseline;
  text-align: left;
  border: 0;
  border-radius: 0;
  border-left: 3px solid transparent;
  padding: 0.12rem 0.5rem 0.12rem 0.2rem;
  background: none;
  font: inherit;
  color: var(--soft);
  overflow-wrap: anywhere;
}
.line + .line {
  border-top: 1px solid color-mix(in srgb, var(--line) 50%, transparent);
}
.line small {
  flex: 0 0 2.1rem;
  text-align: right;
  color: var(--good);
  font-size: 11px;
}
.line span {
  flex: 1;
}
.line .word {
  flex: none;
  color: var(--soft);
}
.line.ran {
  color: var(--text);
  background: color-mix(in srgb, var(--good) 10%, transparent);
  border-left-color: var(--good);
}
.line.off {
  text-decoration: line-through;
}
.line.note {
  min-height: 0;
  font-size: 11px;
}
.line.false {
  color: var(--bad);
  border-left-color: var(--bad);
}
.line.chosen {
  outline: 1px solid var(--accent);
  outline-offset: -1px;
}
.line.step {
  background: color-mix(in srgb, var(--accent) 22%, transparent);
  color: var(--text);
  border-left-color: var(--accent);
}
.track {
  --head: 7.5rem;
}
.track:has(.lane) .scrub {
  margin-left: var(--head);
}
.lanes {
  position: relative;
  max-height: 26vh;
  overflow-y: auto;
}
.lanes:empty {
  display: none;
}
.plots {
  position: relative;
  padding-bottom: 0.2rem;
}
.rail {
  position: absolute;
  inset: 0 8px 0 calc(var(--head) + 8px);
  overflow: hidden;
  pointer-events: none;
}
.rail i {
  position: absolute;
  inset: 0;
  border-left: 1.5px solid var(--text);
  will-change: transform;
}
.failed-at {
  position: absolute;
  top: 0;
  bottom: 0;
  width: 2px;
  pointer-events: none;
  background: var(--bad);
  left: calc(var(--head) + 8px + (100% - var(--head) - 16px) * var(--at, 0));
}
.lane {
  display: grid;
  grid-template-columns: var(--head) minmax(0, 1fr);
  align-items: center;
  margin-top: 2px;
}
.lane-head {
  display: flex;
  align-items: center;
  gap: 0.2rem;
  padding-right: 0.4rem;
}
.lane-name {
  flex: 1;
  min-height: 1.15rem;
  line-height: 1.15rem;
  border: 0;
  padding: 0;
  background: none;
  text-align: left;
  font-size: 0.78rem;
  color: var(--accent);
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.lane-name:disabled {
  color: var(--soft);
}
.lane-close {
  min-height: 1.15rem;
  line-height: 1;
  border: 0;
  padding: 0 0.2rem;
  background: none;
  color: var(--soft);
  font-size: 0.7rem;
}
.plot {
  position: relative;
  height: 1.2rem;
  margin: 0 8px;
  border-radius: 3px;
  overflow: hidden;
  background: color-mix(in srgb, var(--line) 40%, transparent);
  cursor: pointer;
  touch-action: pan-y;
  user-select: none;
}
.plot::after {
  content: "";
  position: absolute;
  inset: 0 auto 0 var(--from, 0);
  width: var(--wide, 0);
  background: color-mix(in srgb, var(--accent) 45%, transparent);
}
.lane:has(.lane-close) .plot:not(.events) {
  height: 2.2rem;
}
.plot.events > i {
  background: var(--bad);
}
.band {
  position: absolute;
  top: 0;
  bottom: 0;
  padding: 0 0.3rem;
  font-size: 0.72rem;
  line-height: 1.2rem;
  color: #101418;
  overflow: hidden;
  white-space: nowrap;
  text-overflow: ellipsis;
}
.failed {
  flex: 1 1 100%;
  display: flex;
  flex-wrap: wrap;
  gap: 0 1.4rem;
  border-left: 5px solid var(--bad);
  padding: 0.1rem 0 0.1rem 0.7rem;
  max-height: 30vh;
  overflow: auto;
  overflow-wrap: anywhere;
}
.failed p,
.found {
  margin: 0;
  white-space: pre-wrap;
}
.failed p:first-child {
  flex: 1 1 100%;
  font-size: 1.2rem;
}
.failed .mono {
  font-size: 1em;
}
.list .id {
  font-size: 13px;
  white-space: normal;
  text-align: left;
  max-width: 100%;
}
.failure {
  padding: 1.5rem;
  max-width: 46rem;
}
.failure pre {
  white-space: pre-wrap;
}
.lobby {
  grid-area: 1 / 1 / -1 / -1;
  overflow: auto;
  width: 100%;
  max-width: 44rem;
  margin: 0 auto;
  padding: 1.5rem 1rem;
}
.lobby.admin {
  max-width: 56rem;
}
.lobby:has(.cards) {
  max-width: 70rem;
}
.lobby h1 {
  font-size: 1.5rem;
}
.who {
  display: flex;
  gap: 0.5rem;
  margin: 1rem 0;
  max-width: 42rem;
}
.who input,
.chat input,
.window input {
  flex: 1;
  font: inherit;
  color: inherit;
  background: var(--back);
  border: 1px solid var(--edge);
  border-radius: 7px;
  padding: 0.3rem 0.6rem;
  min-height: 2rem;
}
.rooms {
  list-style: none;
  padding: 0;
  margin: 1rem 0;
  border: 1px solid var(--line);
  border-radius: 9px;
  background: var(--card);
}
.rooms li {
  display: flex;
  gap: 0.5rem;
  align-items: center;
  padding: 0.6rem 0.8rem;
}
.rooms li + li {
  border-top: 1px solid var(--line);
}
.danger {
  color: var(--bad);
  border-color: var(--bad);
}
.ask .danger {
  color: var(--on-accent);
  background: var(--bad);
}
.admin .filter {
  max-width: 20rem;
  margin-left: 0;
}
.hour {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr));
  gap: 0.7rem;
}
.hour div {
  padding: 0.5rem 0.8rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 9px;
}
.hour b {
  font-size: 1.15rem;
}
.hour .spark {
  height: 2rem;
  margin: 0.3rem 0;
}
.admin .rooms li {
  flex-wrap: wrap;
}
.admin .rooms span {
  flex: 1 1 12rem;
}
.rooms .person {
  padding-left: 1.8rem;
}
.acts {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
}
.acts:empty {
  display: none;
}
.ask {
  color: var(--text);
  background: var(--card);
  border: 1px solid var(--edge);
  border-radius: 10px;
  width: min(28rem, 92vw);
}
.ask::backdrop {
  background: #0007;
}
.ask h2 {
  margin: 0 0 0.6rem;
  font-size: 1.1rem;
}
.ask label {
  display: block;
  margin: 0.7rem 0;
}
.ask span {
  display: block;
  color: var(--soft);
}
.ask input,
.ask select {
  width: 100%;
  font: inherit;
  color: inherit;
  background: var(--back);
  border: 1px solid var(--edge);
  border-radius: 7px;
  padding: 0.3rem 0.6rem;
  min-height: 2.4rem;
}
.rooms.cards {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr));
  gap: 1rem;
  border: 0;
  background: none;
}
.cards > li {
  flex-direction: column;
  align-items: stretch;
  padding: 0;
  border: 1px solid var(--line);
  border-radius: 9px;
  background: var(--card);
  overflow: hidden;
}
.cards > li > :not(.cover) {
  margin: 0 0.8rem;
}
.cards .cover {
  height: 11rem;
  object-fit: cover;
  background: var(--back);
}
.cards .soft {
  flex: 1;
  display: -webkit-box;
  -webkit-line-clamp: 3;
  -webkit-box-orient: vertical;
  max-height: 4.5em;
  overflow: hidden;
}
.cards .soft:empty {
  display: none;
}
.cards > li:has(.soft:empty) .cover {
  flex: 1 0 11rem;
}
.cards > li > .acts {
  align-items: center;
  margin-bottom: 0.8rem;
}
.cards > li > .acts .main {
  flex: 0 1 50%;
}
.cards ul .acts {
  flex: none;
}
.cards ul {
  list-style: none;
  padding: 0;
  max-height: 12rem;
  overflow: auto;
}
.cards ul li {
  padding: 0.5rem 0;
  border-top: 1px solid var(--line);
}
.rooms span {
  flex: 1;
  overflow-wrap: anywhere;
}
.rooms small {
  display: block;
}
button:disabled {
  color: var(--soft);
  cursor: default;
}
.deck {
  grid-area: time;
  display: flex;
  gap: 0.8rem;
  align-items: stretch;
  background: var(--card);
  border-top: 1px solid var(--line);
  padding: 0.5rem 0.9rem;
}
.gear {
  display: grid;
  gap: 0.35rem;
  align-content: start;
  max-width: 50%;
}
.slots {
  position: relative;
  display: flex;
  flex-wrap: wrap;
  gap: 0.3rem;
}
.slots:empty {
  display: none;
}
.slots button {
  min-width: 4.2rem;
  max-width: 9rem;
  min-height: 2.9rem;
  text-align: left;
  line-height: 1.2;
  font-size: 0.82rem;
}
.slots .empty {
  min-width: 2.75rem;
}
.slots [aria-pressed="true"] {
  background-image: linear-gradient(currentColor, currentColor);
  background-repeat: no-repeat;
  background-position: 0 100%;
  background-size: var(--cooled, 0) 4px;
}
.slots .changed {
  animation: changed 0.7s;
}
@keyframes changed {
  30% {
    translate: 0 -0.3rem;
    border-color: var(--accent);
    box-shadow: 0 0 0 3px var(--accent);
  }
}
.slots:has(:nth-child(10)) .empty ~ .empty:not([aria-pressed="true"]) {
  display: none;
}
.slots small {
  display: block;
  color: inherit;
  font-size: 0.7rem;
}
.chat {
  flex: 1 1 14rem;
  display: flex;
  flex-direction: column;
  gap: 0.3rem;
}
.chat-log {
  height: 4.4rem;
  overflow: auto;
  display: flex;
  flex-direction: column-reverse;
  font-size: 0.9rem;
}
.chat-log p {
  margin: 0;
  overflow-wrap: anywhere;
}
.chat form {
  display: flex;
  gap: 0.4rem;
}
.areas {
  position: absolute;
  inset: 0;
  contain: strict;
  padding: 0.6rem 3.4rem 0.6rem 0.6rem;
  display: flex;
  flex-direction: column;
  gap: 0.3rem;
  align-items: center;
  pointer-events: none;
}
.said,
.window h2,
.window .options,
.offers small,
.window .soft {
  contain: layout paint;
}
.game-html {
  display: block;
}
span.game-html {
  display: inline-block;
}
.area {
  background: color-mix(in srgb, var(--card) 88%, transparent);
  border-radius: 7px;
  padding: 0.2rem 0.6rem;
  max-width: 100%;
  overflow-wrap: anywhere;
}
.area[data-area^="center"] {
  font-size: 1.15rem;
}
.heading {
  display: block;
}
.banner {
  position: absolute;
  left: 50%;
  top: 40%;
  transform: translate(-50%, -50%);
  background: var(--card);
  border: 1px solid var(--edge);
  border-radius: 9px;
  padding: 0.7rem 1.1rem;
  box-shadow: 0 3px 14px #0004;
  z-index: 1;
  width: max-content;
  max-width: 90%;
}
[hidden] {
  display: none !important;
}
.window {
  color: var(--text);
  background: var(--card);
  border: 1px solid var(--edge);
  border-radius: 10px;
  padding: 0 1rem 1rem;
  width: min(30rem, 92vw);
  max-height: 80vh;
  overflow: auto;
}
.window::backdrop {
  background: #0007;
}
.window header {
  display: flex;
  background: none;
  border: 0;
  padding: 0.7rem 0;
}
.window h2 {
  font-size: 1.1rem;
  margin: 0;
  flex: 1;
}
.qr {
  display: block;
  width: min(16rem, 34vh);
  margin: 0 auto;
  image-rendering: pixelated;
}
.window p {
  overflow-wrap: anywhere;
}
.offers {
  list-style: none;
  margin: 0;
  padding: 0;
  display: grid;
  grid-template-columns: 1fr fit-content(9rem) auto;
}
.offers li {
  display: grid;
  grid-column: 1 / -1;
  grid-template-columns: subgrid;
  gap: 0.2rem 0.8rem;
  align-items: center;
  padding: 0.3rem 0;
  border-top: 1px solid var(--line);
}
.offers li > span:first-child {
  font-weight: 600;
}
.offers small {
  grid-column: 1 / -1;
}
.offers [aria-disabled] {
  color: var(--soft);
  border-style: dashed;
}
.keys table {
  border-collapse: collapse;
  width: 100%;
}
.keys th,
.keys td {
  text-align: left;
  font-weight: 400;
  padding: 0.25rem 0.6rem 0.25rem 0;
  border-top: 1px solid var(--line);
  vertical-align: top;
}
.keys th {
  width: 40%;
}
kbd,
.keys th button {
  display: inline-block;
  min-width: 1.5rem;
  text-align: center;
  border: 1px solid var(--edge);
  border-radius: 5px;
  padding: 0 0.35rem;
  font:
    0.9em / 1.6 ui-monospace,
    Menlo,
    Consolas,
    monospace;
}
.keys th button {
  min-height: 1.75rem;
  cursor: pointer;
}
.options {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  margin-top: 0.8rem;
}
.window output {
  display: block;
  position: sticky;
  bottom: -1rem;
  margin: 0.6rem -1rem -1rem;
  padding: 0.7rem 1rem;
  background: var(--text);
  color: var(--card);
  font-weight: 600;
}
.window output:empty {
  height: 1.4rem;
  padding: 0;
  visibility: hidden;
}
.window:has(.offers) p {
  margin: 0 0 0.6rem;
}
.pad-area {
  display: none;
  position: absolute;
  inset: 0;
  padding: 0.7rem;
  justify-content: space-between;
  align-items: end;
  pointer-events: none;
}
.pad {
  flex: none;
  width: 8.4rem;
  height: 8.4rem;
  border-radius: 50%;
  background: color-mix(in srgb, var(--card) 60%, transparent);
  border: 2px solid var(--edge);
  display: grid;
  place-items: center;
  touch-action: none;
  pointer-events: auto;
  position: relative;
}
.pad-unit {
  position: absolute;
  inset: calc(50% - 40px);
}
.pad.placed,
.pad-keys .placed {
  position: absolute;
  translate: -50% -50%;
  left: clamp(var(--half), var(--x), 100% - var(--half));
  top: clamp(var(--half), var(--y), 100% - var(--half));
  --half: 4.2rem;
}
.pad-keys .placed {
  --half: 3.4rem;
  top: clamp(1.8rem, var(--y), 100% - 1.8rem);
}
.pad::after {
  content: attr(aria-label);
  position: absolute;
  bottom: 0.55rem;
  font-size: 0.7rem;
  text-shadow:
    0 0 2px var(--card),
    0 0 4px var(--card);
}
.pad i {
  width: 3rem;
  height: 3rem;
  border-radius: 50%;
  background: var(--accent);
  opacity: 0.8;
  pointer-events: none;
}
.pad-keys {
  display: flex;
  flex-wrap: wrap-reverse;
  justify-content: end;
  gap: 0.4rem;
  max-width: 45%;
}
.pad-keys button {
  min-width: 3.2rem;
  min-height: 3.2rem;
  border-radius: 50%;
  pointer-events: auto;
  touch-action: none;
  user-select: none;
}
@media (max-width: 48rem) {
  .track {
    --head: 5rem;
  }
  .lanes {
    max-height: 6.2rem;
  }
}
@media (max-width: 26rem) {
  [data-mode] header [aria-label^="Switch between"] {
    display: none;
  }
}
@media (pointer: coarse) {
  .layers summary {
    width: 2.75rem;
    min-height: 2.75rem;
    line-height: 2.75rem;
  }
  .layer-list {
    right: 3.2rem;
  }
  .layer-list label {
    min-height: 2.75rem;
  }
  .pad-area {
    display: flex;
  }
  button,
  .id,
  .search input,
  .who input,
  .chat input,
  .window input,
  header > a,
  .rooms a {
    min-height: 2.75rem;
  }
  button {
    min-width: 2.75rem;
  }
  header > a,
  .rooms a {
    display: inline-flex;
    align-items: center;
  }
  .link,
  .small,
  .line,
  .lane-name,
  .lane-close,
  .filter {
    min-height: 2.75rem;
  }
  .body details summary {
    min-height: 2.75rem;
    padding: 0.75rem 0;
  }
  .track {
    --head: 7.5rem;
  }
  .plot,
  .lane:has(.lane-close) .plot:not(.events) {
    height: 2.4rem;
  }
  .band {
    line-height: 2.4rem;
  }
  .id {
    padding: 0 0.6rem;
  }
  .body li {
    align-items: center;
    padding: 0.12rem 0;
  }
  input[type="range"] {
    height: 2.75rem;
  }
  .tools button,
  .group button {
    width: 2.75rem;
  }
  .view:has(.pad-area) .tools {
    flex-direction: row;
  }
  .area {
    padding: 0.05rem 0.5rem;
    font-size: 0.9rem;
  }
  .view:has(.pad-area) .areas {
    padding: 4rem 0.6rem 0.6rem;
  }
}
@media (max-width: 48rem) {
  .admin .rooms span {
    flex-basis: 100%;
  }
}
@media (max-width: 30rem) {
  .pad {
    width: 6.4rem;
    height: 6.4rem;
  }
  .pad i {
    width: 2.4rem;
    height: 2.4rem;
  }
}
@media (max-width: 48rem), (max-height: 30rem) {
  .legend {
    flex-wrap: nowrap;
    padding: 0.2rem 0.6rem;
    overflow-x: auto;
  }
}
@media (max-width: 48rem) and (min-height: 30.01rem) {
  body,
  html {
    height: auto;
  }
  #app {
    height: auto;
    min-height: 100%;
    grid-template: auto min(46vh, max(14rem, 100svh - 22rem)) auto auto / minmax(0, 1fr);
    grid-template-areas: "head" "stage" "time" "side";
  }
  #app:has(.failed) :is(.about, #hash),
  #hash {
    display: none;
  }
  .view:not(:has(.pad-area)) .tools {
    flex-direction: row;
  }
  header {
    padding: 0.45rem 0.6rem;
  }
  .about {
    flex-basis: 100%;
    order: 1;
  }
  .search {
    order: 2;
    flex: 1 1 100%;
  }
  .timeline {
    padding: 0.4rem 0.6rem;
    position: sticky;
    bottom: 0;
    z-index: 1;
  }
  .now {
    margin-left: 0;
  }
  .group button {
    width: 2.5rem;
  }
  .panels {
    border-left: 0;
    border-top: 1px solid var(--line);
    min-height: 16rem;
  }
  .body {
    max-height: 70vh;
  }
  .deck {
    flex-direction: column;
    padding: 0.4rem 0.6rem;
  }
  .gear {
    max-width: none;
  }
  .slots {
    flex-wrap: nowrap;
    overflow-x: auto;
  }
  .chat {
    flex: none;
  }
  .chat-log {
    height: 4.2rem;
  }
}
@media (max-height: 30rem) {
  .plots {
    display: none;
  }
  .track:has(.lane) .scrub {
    margin-left: 0;
  }
  #app {
    grid-template-columns: minmax(0, 1fr) minmax(14rem, 30%);
  }
  header {
    padding: 0.2rem 0.6rem;
  }
  #app:has(.scrub) {
    grid-template-areas: "head head" "stage side" "time time";
  }
  #app:has(.failed) header > :is(h1, .about) {
    display: none;
  }
  #app:has(.failed) .search {
    flex: 0 1 17rem;
    flex-wrap: nowrap;
  }
  #app:has(.failed) :is(#search-previous, #search-next) {
    display: none;
  }
  .failed {
    flex: 1 1 19rem;
    max-height: 3.2rem;
    font-size: 0.8rem;
    line-height: 1.25;
  }
  .failed p:first-child {
    font-size: 0.9rem;
  }
  .tabs {
    flex-wrap: nowrap;
    overflow-x: auto;
  }
  .tabs button {
    min-width: 2.25rem;
    padding: 0.2rem 0.1rem;
    font-size: 0.82rem;
  }
  .legend {
    position: absolute;
    left: 0;
    bottom: 0;
    max-width: 100%;
    border: 0;
    background: color-mix(in srgb, var(--card) 80%, transparent);
  }
  .search {
    flex: 0 1 24rem;
  }
  .about {
    flex-basis: 0;
  }
  .timeline {
    display: flex;
    gap: 0.8rem;
    align-items: center;
    padding: 0.1rem 0.6rem;
  }
  .track {
    flex: 1;
    padding: 0;
  }
  .controls {
    gap: 0.2rem 0.8rem;
  }
  .group button {
    width: 2.25rem;
  }
  #hash,
  #time {
    display: none;
  }
  input[type="range"] {
    height: 1.75rem;
  }
  .tools {
    display: grid;
    grid-template-columns: auto auto;
  }
  .view:has(.pad-area) .tools {
    display: flex;
  }
  .lobby {
    padding: 0.6rem 1rem;
  }
  .lobby h1 {
    margin: 0;
    font-size: 1.2rem;
  }
  .lobby h1 + p {
    display: none;
  }
  .lobby .who {
    margin: 0.6rem 0;
  }
  .cards .cover {
    height: 5.5rem;
  }
  .pad {
    width: 7rem;
    height: 7rem;
  }
  .deck {
    padding: 0.25rem 0.6rem;
    align-items: end;
  }
  .slots {
    flex-wrap: nowrap;
    overflow-x: auto;
  }
  .chat {
    gap: 0.1rem;
  }
  .chat-log {
    height: 1.4rem;
  }
}
@media (max-width: 48rem) and (min-height: 30.01rem) {
  [data-mode="inspect"] :is(body, #app),
  :root[data-mode="inspect"] {
    height: 100%;
    min-height: 0;
  }
  [data-mode="inspect"] #app {
    grid-template: auto minmax(0, 1fr) minmax(0, 46%) / minmax(0, 1fr);
    grid-template-areas: "head" "stage" "side";
  }
  [data-mode="inspect"] .deck {
    display: contents;
  }
  [data-mode="inspect"] :is(.pad-keys, .gear, .chat, .about) {
    display: none;
  }
  [data-mode="inspect"] h1 {
    position: absolute;
    clip-path: inset(50%);
  }
  [data-mode="inspect"] .pad-area {
    padding: 0.6rem 0.6rem 2.4rem;
  }
  [data-mode="inspect"] .panels {
    min-height: 0;
    border-top: 1px solid var(--edge);
    border-radius: 14px 14px 0 0;
    box-shadow: 0 -3px 14px #0003;
  }
  [data-mode="inspect"] .body {
    max-height: none;
  }
  [data-mode="inspect"] .legend {
    position: absolute;
    left: 0;
    bottom: 0;
    max-width: 100%;
    border: 0;
    background: color-mix(in srgb, var(--card) 80%, transparent);
  }
}
@media (max-height: 30rem) and (pointer: coarse) {
  .tools > button:nth-child(-n + 2) {
    display: none;
  }
  .view:has(.pad-area[hidden]) .tools {
    flex-direction: column;
  }
  [data-mode="inspect"] .deck {
    display: contents;
  }
  [data-mode="inspect"] :is(.pad-keys, .gear, .chat, .about) {
    display: none;
  }
  [data-mode="inspect"] h1 {
    position: absolute;
    clip-path: inset(50%);
  }
  [data-mode="inspect"] .pad-area {
    padding: 0.6rem 0.6rem 2.4rem;
  }
}
@media (max-height: 30rem) and (min-width: 44rem) and (pointer: coarse) {
  .view:has(.pad-area) .areas {
    padding: 0.6rem 13.6rem 0.6rem 0.6rem;
  }
}
.hud-bars:empty,
.hud-scores:empty,
.hint:empty,
[data-state="ended"] .hint {
  display: none !important;
}
[data-mode="play"] .hint {
  padding: 0.3rem 0.8rem;
  border-radius: 8px;
  color: #fff;
  background: #101820bb;
}
.intro {
  padding-bottom: 0;
}
.intro header {
  padding-bottom: 0;
}
.intro kbd {
  white-space: nowrap;
}
.intro th {
  font-weight: 400;
  text-align: left;
  padding: 0.2rem 0.8rem 0.2rem 0;
}
.intro .options {
  justify-content: center;
  position: sticky;
  bottom: 0;
  margin: 0;
  padding: 0.6rem 0 0.9rem;
  background: var(--card);
}
@media (pointer: coarse) {
  .intro[open] {
    display: flex;
    flex-direction: column;
  }
  .intro .game-html {
    order: 1;
  }
  .intro .options {
    order: 2;
  }
}
@media (max-height: 500px) {
  .intro {
    width: min(44rem, 92vw);
    max-height: 96vh;
  }
}
.intro .main {
  font-size: 1.1rem;
  padding: 0.5rem 2.4rem;
}
.more {
  position: relative;
  pointer-events: auto;
}
.more summary {
  list-style: none;
  display: grid;
  place-items: center;
  width: 3.2rem;
  height: 3.2rem;
  border-radius: 50%;
  background: var(--card);
  border: 1px solid var(--line);
  cursor: pointer;
}
.more[open] {
  display: flex;
  flex-wrap: wrap-reverse;
  justify-content: end;
  gap: 0.4rem;
}
:root[data-mode="play"] {
  /* Buttons lie on ground of any colour. */
  --line: var(--edge);
  overflow: hidden;
  overscroll-behavior: none;
}
:root[data-mode="play"],
[data-mode="play"] body {
  height: 100%;
}
[data-mode="play"] #app {
  display: block;
  height: 100%;
  min-height: 0;
}
[data-mode="play"] :is(.legend, .panels, .side, .timeline, .search, .tools > :not(.sound), .about, h1) {
  display: none !important;
}
[data-mode="play"] .stage {
  position: fixed;
  inset: 0;
}
[data-mode="play"] .tools {
  top: 3.6rem;
}
[data-mode="play"] .stage canvas {
  cursor: crosshair;
  outline: 0;
}
[data-mode="play"] header:not(dialog *) {
  position: fixed;
  z-index: 2;
  inset: 0 0 auto auto;
  gap: 0.4rem;
  padding: 0.5rem;
  background: none;
  border: 0;
}
[data-mode="play"] header:not(dialog *) > * {
  margin: 0;
}
:root:not([data-mode]) #fullscreen {
  display: none;
}
[data-mode="inspect"] header:not(dialog *) {
  flex-wrap: nowrap;
  justify-content: end;
  gap: 0.4rem;
  padding: 0.5rem;
}
[data-mode="inspect"] header:not(dialog *) > button {
  margin: 0;
}
.corner {
  display: contents;
}
[data-mode="play"] .view .areas,
.stage:where(:has(> .deck:not([hidden]) .hud-scores:not(:empty))) .areas {
  padding: 0.6rem;
  align-items: center;
}
.hud-scores {
  position: absolute;
  left: 0.6rem;
  top: 0.6rem;
  margin: 0;
  padding: 0.3rem 0.6rem;
  list-style: none;
  min-width: 9rem;
  max-width: 40%;
  border-radius: 8px;
  color: #fff;
  background: #10182099;
  font-size: 0.85rem;
  pointer-events: none;
}
.hud-scores[data-counts]:not([data-counts=""]):has(b)::before {
  content: attr(data-counts);
  display: block;
  text-align: right;
  font-size: 0.75rem;
}
.hud-scores .alone {
  font-size: 0.75rem;
}
.hud-scores li {
  display: flex;
  padding: 0;
  gap: 0.8rem;
  justify-content: space-between;
}
.hud-scores span {
  overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
.hud-scores .own {
  font-weight: 700;
}
[data-mode] .hud-scores {
  position: fixed;
}
[data-mode="inspect"] .hud-scores {
  top: 4.2rem;
}
[data-mode="play"] .deck {
  position: fixed;
  z-index: 1;
  inset: auto 0 0;
  padding: 0.6rem;
  background: none;
  border: 0;
  flex-direction: row;
  justify-content: space-between;
  align-items: end;
  pointer-events: none;
}
[data-mode="play"] .gear {
  grid-template-columns: minmax(0, max-content);
  width: max-content;
  justify-items: center;
  position: absolute;
  bottom: 0.6rem;
  left: 50%;
  translate: -50%;
  max-width: 46vw;
}
[data-mode="play"] .slots {
  max-width: 100%;
  overflow-x: auto;
  flex-wrap: nowrap;
  justify-content: safe center;
  pointer-events: auto;
}
[data-mode="play"] .slots button {
  flex: none;
  opacity: 0.92;
}
@media (pointer: fine) {
  .slots .empty {
    min-width: 2.1rem;
  }
}
@media (pointer: fine) and (min-width: 48.01rem) {
  [data-mode="play"] .slots {
    flex-wrap: wrap;
    justify-content: center;
  }
}
.team {
  padding: 0 0.6rem;
  border-radius: 6px;
  color: #fff;
  background: #101820bb;
  font-size: 0.78rem;
  line-height: 1.25rem;
}
.team:empty {
  display: none;
}
.hud-bars {
  display: flex;
  flex-wrap: wrap;
  gap: 0.3rem;
}
[data-mode="play"] .hud-bars {
  justify-content: center;
}
.hud-bar {
  position: relative;
  min-width: 11rem;
  padding: 0 0.5rem;
  white-space: nowrap;
  height: 1.25rem;
  border-radius: 6px;
  overflow: hidden;
  background: #101820bb;
  color: #fff;
  font-size: 0.78rem;
  line-height: 1.25rem;
  text-align: center;
}
.hud-bar > i {
  position: absolute;
  inset: 0 auto 0 0;
  overflow: hidden;
}
.hud-bar i i {
  position: absolute;
  inset: 0;
}
.hud-bar span {
  position: relative;
  text-shadow:
    0 0 2px #000,
    0 0 2px #000,
    0 0 3px #000,
    0 0 4px #000;
}
[data-mode="play"] .chat {
  flex: none;
  width: min(20rem, 25vw);
  pointer-events: auto;
}
[data-mode="play"] .chat-log {
  height: auto;
  max-height: 6.2rem;
  font-size: 0.85rem;
  padding: 0.2rem 0.5rem;
  border-radius: 8px;
  background: color-mix(in srgb, var(--card) 70%, transparent);
  color: var(--text);
}
:root[data-mode] {
  --outside: #232932;
}
.told {
  animation: told 7s;
}
@keyframes told {
  from,
  85% {
    padding: 0.15rem 0.5rem;
    border-left: 4px solid var(--accent);
    border-radius: 4px;
    background: var(--card);
    font-weight: 600;
  }
}
[data-mode="play"] #chat-closed {
  margin: 0;
  padding: 0.3rem 0.6rem;
  border-radius: 8px;
  background: color-mix(in srgb, var(--card) 88%, transparent);
  color: var(--text);
}
[data-mode="play"] .chat-log:not(:has(p)) {
  display: none;
}
[data-mode="play"] .chat-log p {
  color: inherit;
}
[data-mode="play"] .chat:not(:focus-within) .chat-log p:nth-last-child(n + 4) {
  display: none;
}
:is(.chat, .who, .window) input {
  font-size: 16px !important;
}
[data-mode="play"] .chat:not(:focus-within) form button {
  display: none;
}
@media (pointer: coarse) {
  .sound label {
    width: 2.75rem;
    min-height: 2.75rem;
  }
  [data-mode] header:not(dialog *) {
    gap: 0.25rem;
    padding: 0.4rem;
  }
  [data-mode="play"] .pad-area {
    z-index: 2;
    padding: 0.8rem 0.8rem 4.6rem;
  }
  [data-mode="play"] .pad {
    width: 8rem;
    height: 8rem;
  }
  [data-mode="play"] .pad-keys {
    flex: 1;
    align-self: end;
    justify-content: center;
    max-width: none;
    padding: 0 0.4rem;
    pointer-events: none;
  }
  .pad-keys kbd {
    padding: 0.1rem 0.6rem;
    border-bottom-width: 3px;
    font-size: 1.05rem;
  }
  .pad-keys button {
    border-radius: 1.6rem;
    max-width: 6.5rem;
    padding: 0.2rem 0.7rem;
    font-size: 0.85rem;
    line-height: 1.15;
  }
  [data-mode="play"] :is(.pad, .pad-keys button, .more summary) {
    background: color-mix(in srgb, var(--card) 55%, transparent);
    text-shadow:
      0 0 2px var(--card),
      0 0 4px var(--card);
  }
  [data-mode="play"] .pad {
    background: color-mix(in srgb, var(--card) 35%, transparent);
  }
  [data-mode="play"] .view .areas {
    padding-top: 3.6rem;
  }
}
@media (pointer: coarse), (max-width: 48rem) {
  .slots .empty ~ .empty:not([aria-pressed="true"]) {
    display: none;
  }
  [data-mode="play"] .hud-bar {
    min-width: 7.5rem;
  }
  [data-mode="play"] .slots button {
    min-width: 2.75rem;
    max-width: 6.5rem;
    min-height: 2.75rem;
    padding: 0.1rem 0.4rem;
    font-size: 0.75rem;
  }
  .slots button {
    flex: none;
  }
  .slots {
    padding: 0 1rem;
    mask-image: linear-gradient(90deg, #0000, #000 1rem calc(100% - 1rem), #0000);
  }
  [data-mode="play"] .corner {
    position: fixed;
    left: 0.6rem;
    top: 0.6rem;
    display: grid;
    gap: 0.3rem;
    justify-items: start;
  }
  [data-mode="play"] .chat {
    width: min(17rem, 60vw);
  }
  [data-mode="play"] .chat-log:not(:has(.told:last-child)) {
    max-height: 3.9rem;
  }
  [data-mode="play"] .chat:not(:focus-within) .chat-log p:nth-last-child(n + 3) {
    display: none;
  }
  [data-mode="play"] .chat:not(:focus-within) form {
    width: 6rem;
    opacity: 0.85;
  }
  [data-mode="play"] .gear {
    max-width: 96vw;
  }
  [data-mode="play"] .hud-scores {
    position: static;
    min-width: 7rem;
    max-width: 9rem;
  }
  .hud-scores li:nth-child(n + 4):not(.own) {
    display: none;
  }
}
@media (max-width: 48rem) and (orientation: portrait) {
  .banner {
    top: 50%;
  }
  [data-mode="play"] .hud-scores {
    max-width: 9.6rem;
    padding: 0.2rem 0.5rem;
    font-size: 0.8rem;
  }
  [data-mode="play"] .hud-scores li {
    gap: 0.4rem;
  }
  [data-mode="play"] .view .tools {
    inset: 0.5rem auto auto 0.6rem;
  }
  [data-mode="play"] .corner {
    top: 3.6rem;
  }
  [data-mode="play"] .chat {
    position: fixed;
    top: 12rem;
  }
  [data-mode="play"] .view .areas {
    align-items: end;
    padding: 3.6rem 0.6rem 0.6rem 10rem;
  }
}
@media (pointer: coarse) and (orientation: portrait) {
  [data-mode="play"] .pad-area {
    padding: 0 0.6rem 6.2rem;
  }
  #app:has(.hud-bar:nth-child(5)) .pad-area {
    padding-bottom: 7.7rem;
  }
  #app:has(.hint:not(:empty)) .pad-area {
    padding-bottom: 9.6rem;
  }
  [data-mode="play"] .hud-bars {
    width: 100%;
  }
  [data-mode="play"] .gear {
    width: 96vw;
    grid-template-columns: minmax(0, 1fr);
  }
  [data-mode="play"] .hud-bar {
    flex: 0 1 7rem;
    min-width: 6.6rem;
    padding: 0 0.2rem;
    font-size: 0.68rem;
  }
  [data-mode="play"] .pad {
    width: 6.2rem;
    height: 6.2rem;
  }
  [data-mode="play"] .pad-keys {
    gap: 0.25rem;
    padding: 0 0.2rem;
  }
  .pad-keys button {
    flex: 0 1 3.9rem;
    min-height: 2.75rem;
    max-width: 3.9rem;
    padding: 0.1rem 0.2rem;
    border-radius: 0.9rem;
    font-size: 0.7rem;
  }
}
@media (pointer: coarse) and (orientation: landscape) {
  .banner {
    max-width: min(26rem, 100vw - 33rem);
    padding: 0.25rem 0.6rem;
    font-size: 0.8rem;
    line-height: 1.35;
  }
  [data-mode="play"] .pad-area {
    padding-bottom: 0.8rem;
    display: grid;
    grid-template: "keys keys" 1fr "walk aim" 8rem / 1fr 8rem;
    gap: 0.6rem;
    align-items: end;
  }
  [data-mode="play"] .pad-area:has(> :last-child[hidden]) {
    grid-template-rows: 1fr auto;
  }
  [data-mode="play"] .pad-keys {
    grid-area: keys;
    justify-self: end;
    justify-content: end;
    max-width: 15rem;
    padding: 0;
  }
  .pad[aria-label="Walk"] {
    grid-area: walk;
  }
  .pad[aria-label^="Aim"] {
    grid-area: aim;
  }
  .pad.placed,
  .pad-keys .placed {
    grid-area: auto;
  }
  [data-mode="play"] .pad-keys .placed {
    top: clamp(5.2rem, var(--y), 100% - 1.8rem);
  }
  [data-mode="play"] .gear {
    bottom: 0.5rem;
    max-width: calc(100vw - 21rem);
  }
  [data-mode="play"] .gear {
    gap: 0.2rem;
  }
  .hud-bars {
    gap: 0.2rem;
  }
  .team {
    font-size: 0.66rem;
    line-height: 1.05rem;
    padding: 0 0.4rem;
  }
  [data-mode="play"] .hud-bar {
    min-width: 4.6rem;
    height: 1.05rem;
    padding: 0 0.25rem;
    font-size: 0.62rem;
    line-height: 1.05rem;
  }
  [data-mode="play"] .slots button {
    opacity: 0.8;
  }
  [data-mode="play"] .area {
    zoom: 0.8;
  }
}`;

/** Applies the styles. A constructed style sheet is allowed by the content security policy. */
export function adoptStyle() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [sheet];
}
