import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { escapeHtml } from '../text/escape.ts';
import type { Terminal } from '../text/terminal.ts';
import { exitCodes, Failure } from './failure.ts';
import { type MomentOptions, saveMoments, wantsPictures } from './moments.ts';
import { needJournal, replayOf } from './read-journal.ts';
import { viewerScript } from './viewer-script.ts';
import { writeText } from './write-text.ts';

export interface ViewOptions extends MomentOptions {
  readonly game?: string;
  readonly html?: string;
  readonly open?: boolean;
}

/** Writes a page on which a journal is watched, or pictures of it, and prints where they are. */
export async function view(path: string, options: ViewOptions, terminal: Terminal): Promise<number> {
  const wantsPage = !wantsPictures(options) || options.html !== undefined || options.open === true;
  const script = wantsPage ? viewerScript('page') : '';
  const read = await needJournal(path, options.game, terminal);
  // What cannot be played is said here rather than by an empty page.
  const replay = replayOf(read);
  for (const file of await saveMoments(replay, options)) terminal.stdout.write(`${resolve(file)}\n`);
  if (!wantsPage) return exitCodes.ok;
  const file = resolve(options.html ?? join(mkdtempSync(join(tmpdir(), 'reenact-view-')), `${basename(path)}.html`));
  writeText(file, pageOf({ title: basename(path), script, definition: read.text, journal: bytesOf(path) }));
  terminal.stdout.write(`${file}\n`);
  if (options.open === true) await openFile(file);
  return exitCodes.ok;
}

function bytesOf(path: string): Uint8Array {
  const { buffer, byteOffset, length } = readFileSync(path);
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
}

interface Page {
  readonly title: string;
  readonly script: string;
  readonly definition: string;
  readonly journal: Uint8Array;
}

/** The page may load nothing, wherever it is opened: everything is in it. */
const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

function pageOf({ title, script, definition, journal }: Page): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="icon" href="data:,"><title>${escapeHtml(title)} · Reenact</title></head>
<body><div id="app"></div>
<script type="text/plain" id="definition">${packed(definition)}</script>
<script type="text/plain" id="journal">${packed(journal)}</script>
<script>${script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')}</script>
</body></html>
`;
}

function packed(content: string | Uint8Array): string {
  return gzipSync(content, { level: 9 }).toString('base64');
}

/** With whatever the system opens pages with. */
async function openFile(file: string): Promise<void> {
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
  const child = spawn(command!, [...args, file], { stdio: 'ignore', detached: true });
  await new Promise<void>((done, failed) => {
    child.once('spawn', done);
    child.once('error', (error) => failed(new Failure('cannot-open', `${command}: ${error.message}`)));
  });
  child.unref();
}
