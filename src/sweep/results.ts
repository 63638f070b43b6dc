import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Shard } from '../run/shard.ts';
import type { Play, Setting, SweepPlan } from './plan.ts';
import type { Answer, Outcome } from './play-one.ts';
import { SweepError } from './sweep-error.ts';
import type { SweepValue } from './values.ts';

const format = 2;

/** The settings that have to be the same for results to go together. */
export interface Identity {
  readonly version: string;
  /** Hash of the document as it was before anything was changed. */
  readonly document: string;
  readonly plan: SweepPlan;
  readonly paths: readonly string[];
}

/** The plays that one process was asked for, so that the parts of a sweep can be put together in the order of the whole. */
interface Wanted {
  readonly settings: readonly Setting[];
  readonly seeds: readonly string[];
  readonly shard: Shard;
}

/** A play with what came of it. */
export interface Result extends Play, Outcome {}

type Line = [point: readonly SweepValue[], seed: string, ticks: number, ending: string, answers: readonly Answer[]];

/** The contents of a file of results. */
export interface ReadResults {
  readonly identity: Identity;
  /** The plays that the last process that wrote into it was asked for. */
  readonly wanted: Wanted | undefined;
  readonly results: readonly Result[];
  /** Bytes of whole lines: a process that was killed may leave half a line after them. */
  readonly wholeBytes: number;
}

/** Whether a text begins as results of sweeps do. */
export function isSweepResults(text: string): boolean {
  return text.startsWith('{"reenactSweep":');
}

/** Reads results. Throws `SweepError` for what are none, and for a damaged line that is not the last. */
export function readResults(path: string, text: string): ReadResults {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const [first = '', ...lines] = whole.split('\n').slice(0, -1);
  const { reenactSweep, ...identity } = headOf(first, path);
  if (reenactSweep !== format)
    throw new SweepError('other-sweep', `${path} was written by another version of this program.`);
  const results: Result[] = [];
  let wanted: Wanted | undefined;
  for (const [index, line] of lines.entries()) {
    const read = parsed(line, path, index + 2);
    if ('settings' in read) wanted = read;
    else results.push(read);
  }
  return { identity, wanted, results, wholeBytes: Buffer.byteLength(whole) };
}

/** Results in a file, one JSON line each, so that a sweep that was interrupted goes on where it was. */
export class ResultsFile {
  readonly results = new Map<string, Result>();
  private readonly path: string;

  /** Reads what is there. Throws `SweepError` for the results of another sweep, and for a damaged line that is not the last. */
  constructor(path: string, identity: Identity) {
    this.path = path;
    if (!existsSync(path)) {
      mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, `${JSON.stringify({ reenactSweep: format, ...identity })}\n`);
      return;
    }
    const text = readFileSync(path, 'utf8');
    const read = readResults(path, text);
    if (JSON.stringify(read.identity) !== JSON.stringify(identity))
      throw new SweepError('other-sweep', `${path} holds results of another sweep.`);
    if (read.wholeBytes < Buffer.byteLength(text)) truncateSync(path, read.wholeBytes);
    for (const result of read.results) this.#keep(result);
  }

  /** As the constructor; with `fresh`, what was there is thrown away. */
  static open(path: string, identity: Identity, fresh: boolean): ResultsFile {
    if (fresh) rmSync(path, { force: true });
    return new ResultsFile(path, identity);
  }

  static key({ point, seed }: Play): string {
    return JSON.stringify([point, seed]);
  }

  /** Notes what is going to be played. */
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

function headOf(line: string, path: string): Identity & { readonly reenactSweep: unknown } {
  try {
    if (isSweepResults(line)) return JSON.parse(line);
  } catch {
    // Said below.
  }
  throw new SweepError('other-sweep', `${path} does not hold results of a sweep.`);
}

function parsed(text: string, path: string, line: number): Result | Wanted {
  try {
    const read = JSON.parse(text) as Line | Wanted;
    if ('settings' in read) return read;
    const [point, seed, ticks, ending, answers] = read;
    if (Array.isArray(point) && typeof seed === 'string' && Array.isArray(answers))
      return { point, seed, ticks, ending: ending as Result['ending'], answers };
  } catch {
    // Said below, with its place.
  }
  throw new SweepError('damaged-results', `${path}:${line} is no result of a play.`);
}
