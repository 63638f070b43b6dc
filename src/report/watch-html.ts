import { cached } from '../../engine/core/index.ts';
import type { CaseResult } from '../scenario/index.ts';
import { escapeHtml } from '../text/index.ts';
import { embeddedFailure, inlined, packed, packedPlay, pageWith, shownFailure } from './journal-page.ts';

const mark = (name: string) => `@@${name}@@`;

/** The replays of failures in a report. Each loads in a frame on demand. */
export class WatchedPlays {
  private readonly definitions = new Map<string, string>();
  private readonly parts: string[] = [];
  private count = 0;

  /** Without the viewer script, replays are left out. */
  constructor(private readonly script: string | undefined) {}

  /** A button that loads a replay, and its frame; empty if there is no recording. */
  add(result: CaseResult): string {
    const { recording, case: given } = result;
    const failure = shownFailure(result);
    if (recording === undefined || failure === undefined || this.script === undefined) return '';
    const { definition, journal, onset } = recording;
    const tick = onset?.tick ?? failure.report.tick;
    const definitionId = cached(this.definitions, definition, () => {
      const id = `definition${this.definitions.size}`;
      this.parts.push(plain(id, packed(definition)));
      return id;
    });
    const id = `play${this.count++}`;
    this.parts.push(plain(id, packedPlay(new Uint8Array(Buffer.from(journal, 'base64')), tick)));
    this.parts.push(plain(`${id}-failure`, embeddedFailure(failure)));
    return (
      `<p><button type="button" class="watch" data-play="${id}" data-definition="${definitionId}" data-tick="${tick}">` +
      `Watch from tick ${tick}, and ask why</button></p><div class="frame" role="group" aria-label="${escapeHtml(given.title)}"></div>`
    );
  }

  /** The parts that all replays share. They must precede the scripts of the page. */
  page(): string {
    if (this.count === 0 || this.script === undefined) return '';
    const template = pageWith({
      title: 'Failure',
      tick: mark('tick'),
      definition: mark('definition'),
      journal: mark('journal'),
      failure: mark('failure'),
      script: mark('script'),
    });
    return [
      ...this.parts,
      plain('viewer-page', packed(template)),
      plain('viewer-script', packed(inlined(this.script))),
    ].join('\n');
  }
}

function plain(id: string, content: string) {
  return `<script type="text/plain" id="${id}">${content}</script>`;
}

/**
 * The script of a report that assembles a replay page from its parts. The frame has its own origin and may only run
 * scripts.
 */
export const watching = `{const text = (id) => document.getElementById(id).textContent;
const unpacked = async (id) => {
  const bytes = Uint8Array.from(atob(text(id)), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
};
for (const button of document.querySelectorAll('.watch')) button.addEventListener('click', async () => {
  const { play, definition, tick } = button.dataset;
  const parts = { tick, definition: text(definition), journal: text(play), failure: text(play + '-failure'), script: await unpacked('viewer-script') };
  let page = await unpacked('viewer-page');
  for (const [name, part] of Object.entries(parts)) page = page.split('@@' + name + '@@').join(part);
  const frame = document.createElement('iframe');
  frame.sandbox = 'allow-scripts';
  frame.title = 'Replay of this scenario';
  frame.srcdoc = page;
  button.closest('.inside').querySelector('.frame').replaceChildren(frame);
  button.hidden = true;
  frame.focus();
});}`;

export const watchStyle = `.frame iframe {
  width: 100%;
  height: min(46rem, 85vh);
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--card);
}`;
