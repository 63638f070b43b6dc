import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CaseResult } from '../scenario/play-case.ts';
import { Failure } from './failure.ts';
import { writeText } from './write-text.ts';

const nameLengthMax = 120;

/** The pictures of failures of one run, in a folder of their own. */
export class Pictures {
  private readonly folder: string;
  private readonly onNotice: (text: string) => void;
  /** One notice is enough: a folder that refuses one file refuses all. */
  private isRefused = false;

  /** `folder` is `''` where no pictures are wanted. */
  constructor(folder: string, onNotice: (text: string) => void) {
    this.folder = folder;
    this.onNotice = onNotice;
  }

  /** Removes what earlier runs left of these cases; with `isWhole`, of all scenarios that their files had. */
  removeOld(cases: readonly CaseResult['case'][], isWhole: boolean): void {
    if (this.folder === '' || !existsSync(this.folder)) return;
    const names = new Set(cases.map(fileName));
    const prefixes = isWhole ? [...new Set(cases.map(({ file }) => wordsOf(`${file} `)))] : [];
    this.attempt(() => {
      for (const name of readdirSync(this.folder)) {
        const isOld = names.has(name) || (name.endsWith('.svg') && prefixes.some((prefix) => name.startsWith(prefix)));
        if (isOld) rmSync(join(this.folder, name));
      }
    });
  }

  /** Writes the picture of a failure; gives its path. A folder that cannot be written costs the picture only. */
  save({ case: given, failure }: CaseResult): string | undefined {
    if (failure === undefined || failure.picture === '' || this.folder === '' || this.isRefused) return undefined;
    const path = join(this.folder, fileName(given));
    return this.attempt(() => {
      // What is made again at every run has no place in a repository.
      if (!existsSync(this.folder)) writeText(join(this.folder, '.gitignore'), '*\n');
      writeText(path, failure.picture);
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

function fileName({ file, title }: CaseResult['case']): string {
  return `${wordsOf(`${file} ${title}`).slice(0, nameLengthMax)}.svg`;
}

function wordsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '-');
}
