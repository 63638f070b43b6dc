import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { journalPage, shownFailure } from '../report/journal-page.ts';
import type { CaseRecording, CaseResult } from '../scenario/play-case.ts';
import { Failure } from './failure.ts';
import { viewerScriptIfBuilt } from './viewer-script.ts';
import { writeText } from './write-text.ts';

const nameLengthMax = 120;
/** Pages of so many failures: each has the engine in it, and more would not be watched. */
const pagesMax = 10;

/** The files that were written of a failure; undefined for those that were not. */
interface Saved {
  readonly picture: string | undefined;
  /** The page on which its play is watched. */
  readonly page: string | undefined;
}

/** The pictures of failures of one run, in a folder of their own. */
export class Pictures {
  private readonly folder: string;
  private readonly onNotice: (text: string) => void;
  /** One notice is enough: a folder that refuses one file refuses all. */
  private isRefused = false;
  private pages = 0;

  /** `folder` is `''` where no pictures are wanted. */
  constructor(folder: string, onNotice: (text: string) => void) {
    this.folder = folder;
    this.onNotice = onNotice;
  }

  /** Removes what earlier runs left of these cases; with `isWhole`, of all scenarios that their files had. */
  removeOld(cases: readonly CaseResult['case'][], isWhole: boolean): void {
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

  /** Writes the picture of a failure and the page of its play. A folder that cannot be written costs these only. */
  save(result: CaseResult): Saved {
    const { case: given, failure, recording } = result;
    const picture = failure && this.write(given, '.svg', failure.picture);
    const script = recording && this.pages < pagesMax ? viewerScriptIfBuilt() : undefined;
    if (script === undefined) return { picture, page: undefined };
    const page = this.write(given, '.html', pageOf(result, recording!, script));
    if (page !== undefined) this.pages++;
    return { picture, page };
  }

  private write(given: CaseResult['case'], ending: (typeof endings)[number], content: string): string | undefined {
    if (content === '' || this.folder === '' || this.isRefused) return undefined;
    const path = join(this.folder, fileName(given, ending));
    return this.attempt(() => {
      // Files that are made again at every run have no place in a repository.
      if (!existsSync(this.folder)) writeText(join(this.folder, '.gitignore'), '*\n');
      writeText(path, content);
      return path;
    });
  }

  private attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      const isOfFiles = error instanceof Failure || (error instanceof Error && 'code' in error);
      if (!isOfFiles) throw error;
      this.isRefused = true;
      this.onNotice(`no-pictures: ${error.message}`);
      return undefined;
    }
  }
}

/** The play of a failure, from the first tick that matters on. */
function pageOf(result: CaseResult, { definition, journal, onset }: CaseRecording, script: string): string {
  const { case: given, failure } = result;
  return journalPage({
    ...{ title: given.title, script, definition, journal: new Uint8Array(Buffer.from(journal, 'base64')) },
    ...{ tick: onset?.tick ?? failure?.tick, failure: shownFailure(result) },
  });
}

const endings = ['.svg', '.html'] as const;

function fileName({ file, title }: CaseResult['case'], ending: (typeof endings)[number]): string {
  return `${wordsOf(`${file} ${title}`).slice(0, nameLengthMax)}${ending}`;
}

function wordsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '-');
}
