import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { messageOf, UserError } from '../../../engine/core/index.ts';
import { readJournal } from '../../journal/index.ts';
import { type InputRecording, recordingOf } from '../playing/input-recording.ts';
import type { ExplorePlan } from '../searching/plan.ts';
import { type Candidate, newProgress, type Progress } from '../searching/progress.ts';
import { type FindingKind, findingKinds } from './detector.ts';
import type { Finding } from './shrink.ts';

/** A finding that a corpus keeps. Its play is the journal `<name>.rj` in the folder of the corpus. */
export interface KeptFinding {
  readonly key: string;
  readonly kind: FindingKind;
  readonly message: string;
  readonly name: string;
}

/** The content of a corpus: its findings, and the progress of its exploration. */
interface Corpus {
  readonly progress: Progress;
  readonly findings: readonly KeptFinding[];
}

const formatVersion = 1;

class CorpusError extends UserError {
  readonly code = 'damaged-corpus';
}

/**
 * Reads the corpus in a folder; it is empty if there is none. If the game has changed since, only the findings are
 * kept, because the progress belongs to the earlier version. Throws `CorpusError` for a damaged file.
 */
export function readCorpus(folder: string, identity: string): Corpus {
  const path = corpusPath(folder);
  if (!existsSync(path)) return { progress: newProgress(), findings: [] };
  const content = contentOf(path);
  const { next, ticks, pending, findings } = content;
  if (content.identity !== identity) return { progress: newProgress(), findings };
  return {
    progress: { next, ticks, pending: new Map(pending.map((each) => [each.sighting.key, each])) },
    findings,
  };
}

/** The content of the corpus file. */
export function corpusText(identity: string, { progress, findings }: Corpus): string {
  const pending = [...progress.pending.values()];
  const content: Content = { version: formatVersion, identity, findings, ...progress, pending };
  return `${JSON.stringify(content)}\n`;
}

export function corpusPath(folder: string): string {
  return join(folder, 'corpus.json');
}

/** Identifies the runs that can continue from each other: same game, dialect, seed and numbers of players. */
export function identityOf({ dialect, seed, players }: ExplorePlan, definitionHash: string): string {
  return JSON.stringify([definitionHash, dialect, seed, players]);
}

interface Content extends Omit<Progress, 'pending'> {
  readonly pending: readonly Candidate[];
  readonly version: number;
  readonly identity: string;
  readonly findings: readonly KeptFinding[];
}

function contentOf(path: string): Content {
  let content: Partial<Content> | null;
  try {
    content = JSON.parse(readFileSync(path, 'utf8')) as Partial<Content> | null;
  } catch (error) {
    throw new CorpusError(`${path}: ${messageOf(error)}`);
  }
  const { findings, pending } = content ?? {};
  const isWhole =
    content?.version === formatVersion &&
    typeof content.identity === 'string' &&
    Number.isSafeInteger(content.next) &&
    [findings, pending].every(Array.isArray) &&
    findings!.every(({ kind, name }) => findingKinds.includes(kind) && /^[\w-]+$/.test(name));
  if (!isWhole)
    throw new CorpusError(`${path} is damaged, or was written by another version. Remove the file to begin anew.`);
  return content as Content;
}

/** The play of a kept finding; undefined if its journal is missing or damaged. */
export function readRecording(folder: string, { name }: KeptFinding): InputRecording | undefined {
  const path = join(folder, `${name}.rj`);
  const journal = existsSync(path) ? readJournal(path)?.journal : undefined;
  return journal && recordingOf(journal);
}

/** A file name that is the same for the same mistake: `fault-missing-value-3f21a0`. */
export function nameOf({ key }: Pick<Finding, 'key'>): string {
  const words = key.replaceAll(/[^A-Za-z0-9]+/g, '-').slice(0, 40);
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 6);
  return `${words.replaceAll(/^-|-$/g, '')}-${digest}`.toLowerCase();
}

/**
 * A scenario file that replays a finding and fails as long as the mistake is there. Undefined for mistakes that
 * scenarios cannot express; the corpus still replays them.
 */
export function scenarioText(finding: Finding, dialect: string, journalFile: string, game: string): string | undefined {
  const { kind, message, recording, otherFaults, rate } = finding;
  const what = finding.key.slice(kind.length + 1);
  const replay = { replay: journalFile };
  const steps = stepsOf(kind, what, replay, recording, rate);
  if (steps === undefined) return undefined;
  const faults = kind === 'fault' || kind === 'limit' ? otherFaults : 'allow';
  const name = kind === 'goal' ? what : `no ${message}`;
  const file = { game, scenarios: [{ name, dialect, seed: recording.seed, faults, steps }] };
  const head =
    kind === 'goal'
      ? '# Written by reenact reach. `faults: allow`, because faults of the game may occur on the way to the goal.'
      : '# Written by reenact explore. The scenario fails as long as the mistake is in the game; `faults` allows other mistakes.';
  return `${head}\n${stringify(file, { lineWidth: 0 })}`;
}

function stepsOf(
  kind: FindingKind,
  what: string,
  replay: object,
  { ticks, inputs }: InputRecording,
  rate: number,
): object[] | undefined {
  switch (kind) {
    case 'fault':
    case 'limit':
      return [replay, { expect: 'true', because: 'the play ends without the fault' }];
    case 'never':
      return [{ never: what }, replay];
    case 'goal':
      return [replay, { expect: what }];
    case 'always':
      return [{ always: what }, replay];
    case 'not-finite': {
      const variable = /^variable (\S+)$/.exec(what)?.[1];
      // `x - x == 0` is true only if `x` is a finite number.
      return variable === undefined ? undefined : [replay, { expect: `\`${variable}\` - \`${variable}\` == 0` }];
    }
    case 'within': {
      // An expression can be awaited only in a play without inputs, because a replay of inputs is a single step.
      return inputs.length > 0 ? undefined : [{ eventually: what, within: `${ticks / rate} s` }];
    }
    default:
      return undefined;
  }
}
