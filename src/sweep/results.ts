import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Play, SweepPlan } from './plan.ts';
import type { Answer, Outcome } from './play-one.ts';
import { SweepError } from './sweep-error.ts';
import type { SweepValue } from './values.ts';

const format = 1;

/** What has to be the same for results to go together. */
export interface Identity {
  readonly version: string;
  /** Hash of the document as it was before anything was changed. */
  readonly document: string;
  readonly plan: SweepPlan;
  readonly paths: readonly string[];
}

/** A play with what came of it. */
export interface Result extends Play, Outcome {}

type Line = [point: readonly SweepValue[], seed: string, ticks: number, ending: string, answers: readonly Answer[]];

/** Results in a file, one JSON line each, so that a sweep that was interrupted goes on where it was. */
export class ResultsFile {
  readonly results = new Map<string, Result>();
  private readonly path: string;

  /** Reads what is there. Throws `SweepError` for the results of another sweep, and for a damaged line that is not the last. */
  constructor(path: string, identity: Identity) {
    this.path = path;
    const head = JSON.stringify({ reenactSweep: format, ...identity });
    if (!existsSync(path)) {
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, `${head}\n`);
      return;
    }
    const text = readFileSync(path, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    // A process that was killed may leave half a line.
    if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
    const [first, ...lines] = whole.split('\n').slice(0, -1);
    if (first !== head) throw new SweepError('other-sweep', `${path} holds results of another sweep.`);
    for (const [index, line] of lines.entries()) this.#keep(parsed(line, path, index + 2));
  }

  /** As the constructor; with `fresh`, what was there is thrown away. */
  static open(path: string, identity: Identity, fresh: boolean): ResultsFile {
    if (fresh) rmSync(path, { force: true });
    return new ResultsFile(path, identity);
  }

  static key({ point, seed }: Play): string {
    return JSON.stringify([point, seed]);
  }

  add(result: Result): void {
    const { point, seed, ticks, ending, answers } = result;
    appendFileSync(this.path, `${JSON.stringify([point, seed, ticks, ending, answers] satisfies Line)}\n`);
    this.#keep(result);
  }

  #keep(result: Result): void {
    this.results.set(ResultsFile.key(result), result);
  }
}

function parsed(text: string, path: string, line: number): Result {
  try {
    const [point, seed, ticks, ending, answers] = JSON.parse(text) as Line;
    if (Array.isArray(point) && typeof seed === 'string' && Array.isArray(answers))
      return { point, seed, ticks, ending: ending as Result['ending'], answers };
  } catch {
    // Said below, with its place.
  }
  throw new SweepError('damaged-results', `${path}:${line} is no result of a play.`);
}
