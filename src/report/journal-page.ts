import { gzipSync } from 'node:zlib';
import { journalBytes, readJournalBytes } from '../journal/index.ts';
import type { ShownFailure } from '../run/index.ts';
import type { CaseResult } from '../scenario/index.ts';
import { escapeHtml } from '../text/index.ts';

interface JournalPage {
  readonly title: string;
  /** The bundled viewer. */
  readonly script: string;
  /** The packed game. */
  readonly definition: string;
  /** A journal in the format of `reenact run --record`. */
  readonly journal: Uint8Array;
  /** The tick to show first. By default, the page shows the moment before the first event that it finds. */
  readonly tick?: number | undefined;
  /** The failure, if the recording is that of a failed scenario. */
  readonly failure?: ShownFailure | undefined;
  /** An SVG of the game's states. */
  readonly states?: string | undefined;
  /** Whether the page loads the images of the definition. By default it loads nothing. */
  readonly images?: boolean | undefined;
}

/**
 * The content security policy. The page is self-contained, so it may load nothing, wherever it is opened. The only
 * exception are images of the definition, on request.
 */
const policy = (images: boolean) =>
  `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:${images ? ' https: http:' : ''}; base-uri 'none'; form-action 'none'`;

/** This text is shown until the script runs. In a truncated file, the script never runs. */
const opening = '<p>Loading… If this message stays, the file is incomplete or JavaScript is disabled.</p>';

/** A single-file page that replays a journal. */
export function journalPage(page: JournalPage): string {
  const { title, script, definition, journal, tick, failure, states, images } = page;
  return pageWith({
    title: escapeHtml(title),
    tick: tick === undefined ? '' : String(tick),
    definition: packed(definition),
    journal: packedPlay(journal, tick),
    failure: failure === undefined ? '' : embeddedFailure(failure),
    others: `<script type="text/plain" id="viewer">${packed(script)}</script>
<script type="text/plain" id="states">${states ?? ''}</script>
`,
    script: starting,
    images: images === true,
  });
}

/** Starts the viewer. The viewer is compressed, because it is larger than most recordings. */
const starting = `(async () => {
  const bytes = Uint8Array.from(atob(document.getElementById('viewer').textContent), (character) => character.charCodeAt(0));
  const script = document.createElement('script');
  script.textContent = await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
  document.body.append(script);
})();`;

/**
 * Maximum size of the snapshots of a recording in a page, in bytes after compression. A limit is possible, because
 * snapshots only save time until the page has replayed the journal.
 */
const snapshotBytesMax = 64_000;

/** Packs a journal for a page. `tick`: the tick that the page shows first; the last snapshot before it is kept. */
export function packedPlay(journal: Uint8Array, tick = 0): string {
  const records = readJournalBytes(journal)?.records ?? [];
  const snapshots = records.filter((record) => record.kind === 'snapshot');
  const shown = snapshots.findLast((each) => each.tick <= tick);
  const sizes = snapshots.map(({ bytes }) => gzipSync(bytes).length);
  const isKept = (i: number, every: number) => (i + 1) % every === 0;
  const sizeOf = (every: number) => sizes.reduce((sum, size, i) => sum + (isKept(i, every) ? size : 0), 0);
  let every = 1;
  while (sizeOf(every) > snapshotBytesMax) every++;
  // A recording that began in a running game starts with a snapshot, which is always kept.
  const start = records[0]?.tick;
  const kept = new Set(snapshots.filter((each, i) => each === shown || each.tick === start || isKept(i, every)));
  return packed(journalBytes(records.filter((record) => record.kind !== 'snapshot' || kept.has(record))));
}

/** JSON that is safe inside a script element. */
export function embeddedFailure(failure: ShownFailure): string {
  return JSON.stringify(failure).replaceAll('<', '\\u003c');
}

/** The parts of a result that pictures and pages need. */
export interface FailedCase extends Pick<CaseResult, 'failure' | 'recording'> {
  readonly case: Pick<CaseResult['case'], 'file' | 'title'>;
}

/** The failure as a page shows it; undefined for a case that did not fail. */
export function shownFailure({ case: given, failure, recording }: FailedCase): ShownFailure | undefined {
  if (failure === undefined) return undefined;
  const { picture: _picture, ...report } = failure;
  return { title: given.title, report, onset: recording?.onset, names: recording?.names ?? [] };
}

/** Assembles a page from encoded parts, so that several pages can share a script. */
export function pageWith(parts: {
  readonly title: string;
  readonly tick: string;
  readonly definition: string;
  readonly journal: string;
  readonly failure: string;
  /** Further elements that contain data. */
  readonly others?: string;
  readonly script: string;
  readonly images?: boolean;
}): string {
  const { title, tick, definition, journal, failure, others = '', script, images = false } = parts;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy(images)}">
<link rel="icon" href="data:,"><title>${title} · Reenact</title></head>
<body><div id="app" data-tick="${tick}"${images ? ' data-images="yes"' : ''}><main>${opening}</main></div>
<script type="application/json" id="failure">${failure}</script>
<script type="text/plain" id="definition">${definition}</script>
<script type="text/plain" id="journal">${journal}</script>
${others}<script>${script}</script>
</body></html>
`;
}

/** Escapes a script so that it can be embedded in a page. */
export function inlined(script: string): string {
  return script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

/** Compresses with gzip and encodes as base64. */
export function packed(content: string | Uint8Array): string {
  return gzipSync(content, { level: 9 }).toString('base64');
}
