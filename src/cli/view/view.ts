import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { Replay } from '../../../engine/index.ts';
import { drawn, graphOf } from '../../graph/index.ts';
import { journalPage } from '../../report/index.ts';
import { gameTitle, type Terminal, titleOfFile } from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { requireRenderer, saveMoments, tickOf, wantsPictures } from '../moments.ts';
import { requireJournal } from '../read-journal.ts';
import { viewerScript } from '../viewer-script.ts';
import { writeText } from '../write-text.ts';
import type { ViewOptions } from './command.ts';

/** Writes a page that replays a journal, or images of it, and prints their paths. */
export async function view(path: string, options: ViewOptions, terminal: Terminal) {
  const wantsPage = !wantsPictures(options) || options.html !== undefined || options.open === true;
  const script = wantsPage ? viewerScript() : '';
  await requireRenderer(options);
  const read = await requireJournal(path, options.game, terminal);
  // The replay is created before anything is written, so that a game that cannot be run is reported here rather than by
  // an empty page.
  const replay = new Replay(read.loaded, read.journal);
  const tick = options.at === undefined ? undefined : tickOf(replay, '--at', options.at);
  for (const file of await saveMoments(replay, options)) terminal.stdout.write(`${resolve(file)}\n`);
  if (!wantsPage) return exitCodes.ok;
  const file = pageFile(options.html, path);
  const { images } = options;
  const title = gameTitle(read.loaded.definition) ?? titleOfFile(read.journal.head.source ?? path);
  const { switches } = graphOf(read.loaded);
  const states = switches.length === 0 ? undefined : await drawn({ switches, scripts: [] }, 'svg');
  const page = journalPage({ title, script, definition: read.text, journal: bytesOf(path), tick, states, images });
  await publishPage(file, page, options.open, terminal);
  return exitCodes.ok;
}

/** Writes a page, prints its path, and opens it if `opens`. */
export async function publishPage(file: string, page: string, opens: boolean | undefined, { stdout }: Terminal) {
  writeText(file, page);
  stdout.write(`${file}\n`);
  if (opens === true) await openFile(file);
}

/** The path of a page or picture: the given one, or that of a temporary file with the name of its source. */
export function pageFile(given: string | undefined, source: string, ending = 'html'): string {
  return resolve(given ?? join(mkdtempSync(join(tmpdir(), 'reenact-view-')), `${basename(source)}.${ending}`));
}

export function bytesOf(path: string): Uint8Array {
  const { buffer, byteOffset, length } = readFileSync(path);
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
}

/** Opens a file with the system's default program. */
async function openFile(file: string) {
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open'];
  const child = spawn(command!, [...args, file], { stdio: 'ignore', detached: true });
  await new Promise<void>((done, failed) => {
    child.once('spawn', done);
    child.once('error', (error) => failed(new Failure('cannot-open', `${command}: ${error.message}`)));
  });
  child.unref();
}
