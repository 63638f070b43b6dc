import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FailedCase, journalPage, shownFailure } from '../report/index.ts';
import { type CaseRecording, errorLines, explanationFailed } from '../scenario/index.ts';
import { Failure } from './failure.ts';
import { viewerScriptIfBuilt } from './viewer-script.ts';
import { writeText } from './write-text.ts';

const nameLengthMax = 120;
/** At most this many failures get a page, because each page contains the engine. */
const pagesMax = 10;

/** Writes pictures and pages of failures to a folder. */
export class Pictures {
  /** Whether a write has failed. After that, nothing more is written, so that there is only one notice. */
  private isRefused = false;
  private pages = 0;

  /** `folder` is `''` if no pictures are wanted. */
  constructor(
    private readonly folder: string,
    private readonly onNotice: (text: string) => void,
  ) {}

  /** Removes files that earlier runs wrote for these cases; with `isWhole`, those for all scenarios of their files. */
  removeOld(cases: readonly FailedCase['case'][], isWhole: boolean) {
    if (this.folder === '' || !existsSync(this.folder)) return;
    const names = new Set(cases.flatMap((each) => endings.map((ending) => fileName(each, ending))));
    const prefixes = isWhole ? [...new Set(cases.map(({ file }) => wordsOf(`${file} `)))] : [];
    this.attempt(() => {
      for (const name of readdirSync(this.folder)) {
        const isOld =
          names.has(name) ||
          (endings.some((ending) => name.endsWith(ending)) && prefixes.some((prefix) => name.startsWith(prefix)));
        if (isOld) rmSync(join(this.folder, name));
      }
    });
  }

  /**
   * Writes the picture of a failure and the page that replays it. A failed write is reported, but does not fail the
   * run. Returns the paths; undefined for files that were not written.
   */
  save(result: FailedCase) {
    const { case: given, failure, recording } = result;
    const picture = failure && this.writeFile(fileName(given, '.svg'), () => failure.picture);
    const script = recording && this.pages < pagesMax ? viewerScriptIfBuilt() : undefined;
    if (script === undefined) return { picture, page: undefined };
    const page = this.writeFile(fileName(given, '.html'), () => pageOf(result, recording!, script));
    if (page !== undefined) this.pages++;
    return { picture, page };
  }

  /** Writes a file into the folder of pictures, unless its content is empty. */
  writeFile(name: string, contentOf: () => string): string | undefined {
    if (this.folder === '' || this.isRefused) return undefined;
    const path = join(this.folder, name);
    return this.attempt(() => {
      const content = contentOf();
      if (content === '') return undefined;
      // Generated files do not belong in a repository.
      if (!existsSync(this.folder)) writeText(join(this.folder, '.gitignore'), '*\n');
      writeText(path, content);
      return path;
    });
  }

  private attempt<T>(work: () => T) {
    try {
      return work();
    } catch (error) {
      const isOfFiles = error instanceof Failure || (error instanceof Error && 'syscall' in error);
      if (isOfFiles) {
        this.isRefused = true;
        this.onNotice(`no-pictures: ${error.message}`);
      } else this.onNotice(explanationFailed(errorLines(error)).join('\n'));
      return undefined;
    }
  }
}

/** A page that replays a failure, starting at the first relevant tick. */
function pageOf(result: FailedCase, { definition, journal, onset, states }: CaseRecording, script: string) {
  const { case: given, failure } = result;
  return journalPage({
    title: given.title,
    script,
    definition,
    journal: new Uint8Array(Buffer.from(journal, 'base64')),
    tick: onset?.tick ?? failure?.tick,
    failure: shownFailure(result),
    states,
  });
}

const endings = ['.svg', '.html'] as const;

function fileName({ file, title }: FailedCase['case'], ending: (typeof endings)[number]) {
  return `${wordsOf(`${file} ${title}`).slice(0, nameLengthMax)}${ending}`;
}

function wordsOf(text: string) {
  return text.replace(/[^\p{L}\p{N}]+/gu, '-');
}
