import { gzipSync } from 'node:zlib';
import type { ShownFailure } from '../run/failure-report.ts';
import type { CaseResult } from '../scenario/play-case.ts';
import { escapeHtml } from '../text/escape.ts';

interface JournalPage {
  readonly title: string;
  /** The viewer as the build bundled it. */
  readonly script: string;
  /** The definition as its file has it. */
  readonly definition: string;
  /** As `reenact run --record` writes it. */
  readonly journal: Uint8Array;
  /** The tick that is shown at first; without one, the first. */
  readonly tick?: number | undefined;
  /** Of a play that is shown because a scenario failed. */
  readonly failure?: ShownFailure | undefined;
  /** Whether pictures that the definition names are fetched. Default false: then the page loads nothing. */
  readonly images?: boolean | undefined;
}

/** The page may load nothing, wherever it is opened: everything is in it. Pictures of the definition are the one exception, for those who want it. Hashes
 * are computed by a program of WebAssembly, which takes a word of its own. */
const policy = (images: boolean): string =>
  `default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:${images ? ' https: http:' : ''}; base-uri 'none'; form-action 'none'`;

/** Stands there until the script runs; that of a file that was cut off never does. */
const opening =
  '<p>The play is opened. Where this sentence stays, the file is incomplete or scripts are forbidden.</p>';

/** One file on which a recorded play is watched. */
export function journalPage({ title, script, definition, journal, tick, failure, images }: JournalPage): string {
  return pageWith({
    title: escapeHtml(title),
    tick: tick === undefined ? '' : String(tick),
    definition: packed(definition),
    journal: packed(journal),
    failure: failure === undefined ? '' : embeddedFailure(failure),
    script: inlined(script),
    images: images === true,
  });
}

/** As it may stand in a page. */
export function embeddedFailure(failure: ShownFailure): string {
  return JSON.stringify(failure).replaceAll('<', '\\u003c');
}

/** What a page says about a failure; undefined for a case that did not fail. */
export function shownFailure({ case: given, failure, recording }: CaseResult): ShownFailure | undefined {
  if (failure === undefined) return undefined;
  const { picture: _picture, ...report } = failure;
  return { title: given.title, report, onset: recording?.onset };
}

/** The parts of a page, as they stand in it; those of several pages can share a script. */
export function pageWith(parts: {
  readonly title: string;
  readonly tick: string;
  readonly definition: string;
  readonly journal: string;
  readonly failure: string;
  readonly script: string;
  readonly images?: boolean;
}): string {
  const { title, tick, definition, journal, failure, script, images = false } = parts;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy(images)}">
<link rel="icon" href="data:,"><title>${title} · Reenact</title></head>
<body><div id="app" data-tick="${tick}"${images ? ' data-images="yes"' : ''}><main>${opening}</main></div>
<script type="application/json" id="failure">${failure}</script>
<script type="text/plain" id="definition">${definition}</script>
<script type="text/plain" id="journal">${journal}</script>
<script>${script}</script>
</body></html>
`;
}

/** A script as it may stand in a page. */
export function inlined(script: string): string {
  return script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

/** gzip, in base64. */
export function packed(content: string | Uint8Array): string {
  return gzipSync(content, { level: 9 }).toString('base64');
}
