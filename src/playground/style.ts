/** The styles of the playground, in addition to those of the viewer. */
const style = `.start {
  grid-area: 1 / 1 / -1 / -1;
  overflow: auto;
  width: 100%;
}
.start > * {
  max-width: 72rem;
  margin-inline: auto;
  padding-inline: 1.25rem;
}
.start > header {
  display: flex;
  flex-wrap: nowrap;
  align-items: center;
  gap: 0.8rem;
  background: none;
  border: 0;
  padding-block: 0.9rem;
}
.start .brand {
  font-weight: 700;
  font-size: 1.05rem;
  letter-spacing: -0.01em;
}
.start > header nav {
  margin-left: auto;
  display: flex;
  gap: 0.2rem 1rem;
  align-items: center;
}
.start > header nav a {
  color: inherit;
}
.hero {
  padding-block: 1.6rem 1.2rem;
}
.hero h1 {
  font-size: clamp(1.7rem, 4.2vw, 2.7rem);
  line-height: 1.1;
  letter-spacing: -0.02em;
  white-space: normal;
  overflow: visible;
  max-width: 22ch;
  text-wrap: balance;
}
.hero p {
  font-size: 1.08rem;
  max-width: 62ch;
  margin: 0.7rem 0 0;
  color: var(--soft);
}
.gallery {
  list-style: none;
  margin: 0 auto;
  padding: 0.4rem 0 1rem;
  display: grid;
  gap: 1rem;
  grid-template-columns: repeat(12, minmax(0, 1fr));
}
.gallery li {
  grid-column: span 3;
  display: flex;
}
.gallery li:first-child {
  grid-column: span 6;
  grid-row: span 2;
}
.sample {
  flex: 1;
  display: flex;
  flex-direction: column;
  padding: 0;
  text-align: left;
  border-radius: 12px;
  overflow: hidden;
  background: var(--card);
}
.sample:hover {
  box-shadow: 0 4px 18px #0002;
}
.sample .picture {
  position: relative;
  flex: 1;
  min-height: 8.5rem;
  background: var(--outside, var(--back));
  overflow: hidden;
}
.sample img {
  position: absolute;
  inset: 0;
  width: 100%;
  height: 100%;
  pointer-events: none;
}
.sample img {
  object-fit: contain;
  padding: 1%;
}
.sample .words {
  display: grid;
  grid-template-columns: 1fr auto;
  gap: 0.1rem 0.6rem;
  align-items: center;
  padding: 0.6rem 0.8rem 0.7rem;
}
.sample b {
  font-size: 1rem;
}
.sample small {
  grid-column: 1;
  line-height: 1.35;
}
.sample .go {
  grid-column: 2;
  grid-row: 1 / span 2;
  background: var(--accent);
  color: var(--on-accent);
  border-radius: 8px;
  padding: 0.3rem 0.7rem;
  font-weight: 600;
  white-space: nowrap;
}
.gallery li:first-child b {
  font-size: 1.25rem;
}
.gallery li:first-child .go {
  padding: 0.5rem 1.1rem;
  font-size: 1.05rem;
}
.own {
  display: grid;
  gap: 1rem;
  grid-template-columns: 1.2fr 1fr;
  padding-block: 0.4rem 1rem;
}
.own h2 {
  grid-column: 1 / -1;
  font-size: 1.15rem;
  margin: 0.4rem 0 0;
}
.drop {
  border: 2px dashed var(--edge);
  border-radius: 12px;
  padding: 1.2rem;
  display: flex;
  flex-direction: column;
  gap: 0.5rem;
  align-items: flex-start;
  justify-content: center;
  background: var(--card);
}
.dropping::after {
  content: "Drop the game to open it";
  position: fixed;
  inset: 0.5rem;
  z-index: 99;
  display: grid;
  place-content: center;
  font-size: 1.5rem;
  font-weight: 700;
  pointer-events: none;
  border: 3px dashed var(--accent);
  border-radius: 12px;
  background: color-mix(in srgb, var(--card) 88%, transparent);
}
.drop p {
  margin: 0;
}
.ways {
  display: flex;
  flex-direction: column;
  gap: 0.6rem;
}
.ways form {
  display: flex;
  gap: 0.4rem;
  flex-wrap: wrap;
}
.ways label {
  flex-basis: 100%;
  font-weight: 600;
}
.ways input,
.ways textarea,
.shared input,
.options select,
.options input {
  flex: 1 1 12rem;
  font: inherit;
  color: inherit;
  background: var(--card);
  border: 1px solid var(--edge);
  border-radius: 7px;
  padding: 0.35rem 0.6rem;
  min-height: 2.2rem;
}
.ways textarea {
  flex-basis: 100%;
  min-height: 4.2rem;
  resize: vertical;
  font:
    12px / 1.4 ui-monospace,
    Menlo,
    Consolas,
    monospace;
}
.start footer {
  padding-block: 1rem 2rem;
  color: var(--soft);
  border-top: 1px solid var(--line);
}
.wait {
  grid-area: 1 / 1 / -1 / -1;
  place-self: center;
  text-align: center;
  padding: 1.5rem;
  width: min(30rem, 94vw);
}
.wait progress {
  width: 100%;
  accent-color: var(--accent);
}
.wait h1,
.broken h1 {
  white-space: normal;
  font-size: 1.3rem;
}
.back {
  margin-right: auto;
}
.broken {
  grid-area: 1 / 1 / -1 / -1;
  overflow: auto;
  width: 100%;
  max-width: 56rem;
  margin: 0 auto;
  padding: 1.5rem 1.25rem;
}
.problems {
  list-style: none;
  margin: 0.6rem 0;
  padding: 0;
}
.problems li {
  display: block !important;
  border-top: 1px solid var(--line);
  padding: 0.5rem 0 !important;
  overflow-wrap: anywhere;
}
.problems .head {
  display: flex;
  flex-wrap: wrap;
  gap: 0.2rem 0.6rem;
  align-items: baseline;
}
.severity {
  font-weight: 700;
  font-size: 0.78rem;
  text-transform: uppercase;
  letter-spacing: 0.03em;
  color: var(--soft);
}
.severity.error {
  color: var(--bad);
}
.severity.warning {
  color: var(--text);
}
header > button#games {
  margin-left: 0;
}
header > #take {
  margin-left: auto;
}
header > #share {
  margin-left: 0;
}
header > #take + button {
  margin-left: 0;
}
.stage .deck {
  grid-area: auto;
  flex: none;
}
.side {
  grid-area: side;
  display: flex;
  flex-direction: column;
  overflow: hidden;
  background: var(--card);
  border-left: 1px solid var(--line);
}
.side .panels {
  flex: 1;
  border-left: 0;
  min-height: 0;
}
.panel-switch {
  display: flex;
  flex: none;
  gap: 0.25rem;
  padding: 0.4rem 0.5rem;
  border-bottom: 1px solid var(--line);
  background: var(--back);
}
.panel-switch button {
  flex: 1 1 auto;
  padding: 0.2rem 0.5rem;
}
.panel-switch button[aria-selected="true"] {
  background: var(--card);
  border-color: var(--accent);
  font-weight: 600;
}
.tool-panel {
  flex: 1;
  overflow: auto;
  padding: 0.6rem 0.9rem 1.2rem;
  min-height: 0;
  display: flex;
  flex-direction: column;
}
@media (min-width: 48.01rem) {
  #app:has(.side.wide) {
    grid-template-columns: minmax(0, 1fr) minmax(22rem, 46%);
  }
}
.tool-panel > .row {
  display: flex;
  gap: 0.5rem;
  align-items: center;
  flex-wrap: wrap;
  padding-bottom: 0.5rem;
}
.editor .cm-editor {
  height: 100%;
  background: var(--card);
  color: var(--text);
  font-size: 13px;
}
.editor .cm-editor.cm-focused {
  outline: 2px solid var(--accent);
  outline-offset: -2px;
}
.editor .cm-editor .cm-scroller {
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  overflow: auto;
}
.editor .cm-editor .cm-content {
  caret-color: var(--text);
}
.editor .cm-editor .cm-cursor {
  border-left-color: var(--text);
}
.editor .cm-editor .cm-gutters {
  background: var(--back);
  color: var(--soft);
  border-right: 1px solid var(--line);
}
.editor .cm-editor .cm-activeLine {
  background: color-mix(in srgb, var(--accent) 9%, transparent);
}
.editor .cm-editor .cm-selectionBackground {
  background: color-mix(in srgb, var(--accent) 28%, transparent) !important;
}
.editor .cm-editor .cm-tooltip {
  background: var(--card);
  color: var(--text);
  border: 1px solid var(--edge);
  border-radius: 7px;
}
.editor .cm-editor .cm-tooltip-autocomplete ul li[aria-selected] {
  background: var(--accent);
  color: var(--on-accent);
}
.editor .cm-about {
  max-width: 34rem;
  max-height: 18rem;
  overflow: auto;
  padding: 0.4rem 0.7rem;
  white-space: pre-wrap;
}
.editor .cm-editor .cm-panels {
  background: var(--back);
  color: var(--text);
}
.editor .cm-editor .cm-button {
  background: var(--card);
}
.tok-propertyName {
  color: var(--accent);
}
.tok-string {
  color: var(--good);
}
.tok-number,
.tok-bool,
.tok-keyword {
  color: var(--bad);
}
.editor {
  flex: 1;
  min-height: 12rem;
  overflow: hidden;
  border: 1px solid var(--line);
  border-radius: 7px;
}
.broken .editor {
  flex: none;
  height: 55vh;
}
.broken .found-problems {
  max-height: none;
  order: -1;
}
.broken .row {
  order: -2;
}
.broken h1 {
  margin-top: 0.8rem;
}
.found-problems {
  flex: none;
  max-height: 40%;
  overflow: auto;
  padding-top: 0.5rem;
}
.found-problems summary {
  cursor: pointer;
  font-weight: 600;
}
.panel-switch button[aria-pressed="true"] {
  background: var(--accent);
}
.results {
  flex: none;
  max-height: 55%;
  overflow: auto;
  padding-top: 0.5rem;
}
.results ul {
  list-style: none;
  margin: 0;
  padding: 0;
}
.results li {
  border-top: 1px solid var(--line);
  padding: 0.25rem 0;
}
.results .head {
  display: flex;
  gap: 0.5rem;
  align-items: baseline;
}
.results .title {
  flex: 1;
  overflow-wrap: anywhere;
}
.results summary {
  cursor: pointer;
  list-style: none;
}
.sign {
  font-weight: 700;
  flex: none;
}
.sign.passed {
  color: var(--good);
}
.results pre {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
  margin: 0.4rem 0;
  border-left: 4px solid var(--bad);
  padding-left: 0.7rem;
}
.results img {
  display: block;
  max-width: 100%;
  border: 1px solid var(--line);
  border-radius: 7px;
}
.tool-panel > p {
  margin: 0 0 0.4rem;
}
.shared {
  display: grid;
  gap: 0.7rem;
}
.shared .row {
  display: flex;
  gap: 0.5rem;
  flex-wrap: wrap;
}
.shared input {
  min-width: 0;
}
@media (max-width: 66rem) {
  #app > header {
    flex-wrap: nowrap;
  }
  #app > header > .about {
    display: none;
  }
  #app > header > .search {
    flex: 0 1 24rem;
    flex-wrap: nowrap;
    min-width: 0;
  }
  .search input {
    min-width: 0;
  }
  .panel-switch button {
    padding: 0.2rem 0.35rem;
  }
}
@media (max-width: 60rem) {
  .gallery li {
    grid-column: span 6;
  }
  .gallery li:first-child {
    grid-column: 1 / -1;
    grid-row: auto;
  }
  .gallery li:first-child .picture {
    min-height: 13rem;
  }
}
@media (max-width: 48rem) {
  .own {
    grid-template-columns: minmax(0, 1fr);
  }
  .hero {
    padding-block: 0.6rem 0.8rem;
  }
  .gallery {
    gap: 0.7rem;
  }
  .gallery li {
    grid-column: 1 / -1;
  }
  .sample .picture {
    min-height: 7.5rem;
  }
}
@media (max-width: 48rem), (max-height: 30rem) {
  #app > header {
    gap: 0.4rem;
    flex-wrap: nowrap;
  }
  #app > header button {
    flex: none;
  }
  #app > header > h1 {
    flex: 1 1 3rem;
  }
  #app > header > :is(.search, .about, [aria-label="Switch between light and dark"]),
  .long {
    display: none;
  }
  :root[data-state="playing"] :is(.legend, .track, .graph, .now, .timeline .group + .group) {
    display: none;
  }
}
@media (max-width: 48rem) and (min-height: 30.01rem) {
  .side {
    border-left: 0;
    border-top: 1px solid var(--line);
    min-height: 20rem;
  }
  .editor {
    height: 60vh;
    flex: none;
  }
  :root[data-state="playing"] #app {
    grid-template-rows: auto calc(100dvh - 7.4rem) auto auto;
  }
}
@media (max-height: 30rem) {
  .start > header {
    padding-block: 0.2rem;
  }
  .hero {
    padding-block: 0 0.4rem;
  }
  .hero :is(h1, p) {
    max-width: none;
    font-size: 1.3rem;
  }
  .hero p {
    margin-top: 0.2rem;
    font-size: 0.95rem;
  }
  .sample .picture,
  .gallery li:first-child .picture {
    min-height: 7rem;
  }
  :root[data-state="playing"] #app {
    grid-template-columns: minmax(0, 1fr) 0;
  }
  :root[data-state="playing"] .side {
    display: none;
  }
  :root[data-state="playing"] .timeline .group {
    display: none;
  }
}
@media (pointer: coarse) {
  #app > header > [aria-label="Keyboard shortcuts"] {
    display: none;
  }
}`;

export function adoptPlaygroundStyle() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}
