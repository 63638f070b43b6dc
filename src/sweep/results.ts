import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Shard } from '../run/index.ts';
import type { Setting, SweepPlan, SweepPlay } from './plan.ts';
import type { Answer, Outcome } from './play-one.ts';
import { SweepError } from './sweep-error.ts';
import type { SweepValue } from './values.ts';

const format = 2;

/** The settings that must be equal for results to belong together. */
export interface SweepIdentity {
  readonly version: string;
  /** Hash of the unchanged document. */
  readonly document: string;
  readonly plan: SweepPlan;
  readonly paths: readonly string[];
}

/** The runs requested from one process, so that parts of a sweep can be merged in order. */
interface Wanted {
  readonly settings: readonly Setting[];
  readonly seeds: readonly string[];
  readonly shard: Shard;
}

/** A run and its outcome. */
export interface Result extends SweepPlay, Outcome {}

type Line = [point: readonly SweepValue[], seed: string, ticks: number, ending: string, answers: readonly Answer[]];

/** The contents of a results file. */
export interface ReadResults {
  readonly identity: SweepIdentity;
  /** The runs requested from the last process that wrote to the file. */
  readonly wanted: Wanted | undefined;
  readonly results: readonly Result[];
  /** The length of the complete lines: a process that was killed may leave a partial line at the end. */
  readonly wholeBytes: number;
}

/** Whether a text starts like a results file of a sweep. */
export function isSweepResults(text: string): boolean {
  return text.startsWith('{"reenactSweep":');
}

/** Parses a results file. Throws `SweepError` if it is not one, or if a line is damaged. */
export function readResults(path: string, text: string): ReadResults {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const [first = '', ...lines] = whole.split('\n').slice(0, -1);
  const { reenactSweep, ...identity } = headOf(first, path);
  if (reenactSweep !== format)
    throw new SweepError('other-sweep', `${path} was written by another version of Reenact. Discard it with --fresh.`);
  const results: Result[] = [];
  let wanted: Wanted | undefined;
  for (const [index, line] of lines.entries()) {
    const read = parsed(line, path, index + 2);
    if ('settings' in read) wanted = read;
    else results.push(read);
  }
  return { identity, wanted, results, wholeBytes: Buffer.byteLength(whole) };
}

/** Stores results in a file, one JSON line each, so that an interrupted sweep can continue. */
export class ResultsFile {
  readonly results = new Map<string, Result>();
  private readonly path: string;

  /** Reads existing results. Throws `SweepError` for results of another sweep and for damaged lines. */
  constructor(path: string, identity: SweepIdentity) {
    this.path = path;
    if (!existsSync(path)) {
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, `${JSON.stringify({ reenactSweep: format, ...identity })}\n`);
      return;
    }
    const text = readFileSync(path, 'utf8');
    const read = readResults(path, text);
    if (JSON.stringify(read.identity) !== JSON.stringify(identity))
      throw new SweepError(
        'other-sweep',
        `${path} contains results of another sweep. Use another file, or discard it with --fresh.`,
      );
    if (read.wholeBytes < Buffer.byteLength(text)) truncateSync(path, read.wholeBytes);
    for (const result of read.results) this.#keep(result);
  }

  /** Like the constructor; with `fresh`, discards existing results. */
  static open(path: string, identity: SweepIdentity, fresh: boolean): ResultsFile {
    if (fresh) rmSync(path, { force: true });
    return new ResultsFile(path, identity);
  }

  static key({ point, seed }: SweepPlay): string {
    return JSON.stringify([point, seed]);
  }

  /** Records which runs were requested. */
  want(wanted: Wanted): void {
    appendFileSync(this.path, `${JSON.stringify(wanted)}\n`);
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

function headOf(line: string, path: string): SweepIdentity & { readonly reenactSweep: unknown } {
  try {
    if (isSweepResults(line)) return JSON.parse(line);
  } catch {
    // Reported below.
  }
  throw new SweepError('other-sweep', `${path} does not contain results of a sweep.`);
}

function parsed(text: string, path: string, line: number): Result | Wanted {
  try {
    const read = JSON.parse(text) as Line | Wanted;
    if ('settings' in read) return read;
    const [point, seed, ticks, ending, answers] = read;
    if (Array.isArray(point) && typeof seed === 'string' && Array.isArray(answers))
      return { point, seed, ticks, ending: ending as Result['ending'], answers };
  } catch {
    // Reported below.
  }
  throw new SweepError('damaged-results', `${path}:${line} is damaged. Discard the results with --fresh.`);
}
