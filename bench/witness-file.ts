import { type DialectName, dialects } from '../engine/index.ts';
import { type Channel, channels, type Digest, type Play, type SecondDigests } from './witness-play.ts';

/** A witness file as text: a header, then a line of names and four lines of digests per run. */
export interface Witness {
  readonly bots: number;
  /** The simulated seconds of each run. */
  readonly seconds: number;
  readonly plays: readonly Play[];
}

const signature = 'reenact-witness 1';
/** Means the same digest as the previous second. */
const same = '.';

export function witnessText({ bots, seconds, plays }: Witness): string {
  const lines = [`${signature} bots ${bots} seconds ${seconds}`];
  for (const play of [...plays].sort(byName)) {
    lines.push(`${nameOf(play)} ${play.document}`);
    for (const channel of channels) lines.push(`${channel} ${digestsText(play.seconds.map((each) => each[channel]))}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Throws with the line number if a line is invalid. */
export function parseWitness(text: string): Witness {
  const lines = text.trimEnd().split('\n');
  const head = new RegExp(`^${signature} bots (\\d+) seconds (\\d+)$`).exec(lines[0] ?? '');
  if (head === null) throw new Error(`Line 1 is not "${signature} bots … seconds …".`);
  const plays: Play[] = [];
  for (let at = 1; at < lines.length; at += 1 + channels.length) {
    const [game, dialect, seed, document, ...rest] = lines[at]!.split(' ');
    if (document === undefined || rest.length > 0 || !isDialect(dialect)) {
      throw new Error(`Line ${at + 1} is not "game dialect seed digest".`);
    }
    const columns = channels.map((channel, i) => digestsOfLine(channel, lines[at + 1 + i], at + 2 + i));
    const length = columns[0]!.length;
    if (columns.some((column) => column.length !== length)) {
      throw new Error(`The channels after line ${at + 1} differ in length.`);
    }
    const seconds = columns[0]!.map(
      (_, second) => Object.fromEntries(channels.map((name, i) => [name, columns[i]![second]])) as SecondDigests,
    );
    plays.push({ game: game!, dialect, seed: seed!, document, seconds });
  }
  return { bots: Number(head[1]), seconds: Number(head[2]), plays };
}

export function isDialect(name: string | undefined): name is DialectName {
  return name !== undefined && Object.hasOwn(dialects, name);
}

function digestsText(digests: readonly Digest[]): string {
  return digests.map((digest, i) => (digest === digests[i - 1] ? same : digest)).join(' ');
}

function digestsOfLine(channel: Channel, line: string | undefined, number: number): Digest[] {
  const [name, ...words] = line?.split(' ') ?? [];
  if (name !== channel) throw new Error(`Line ${number} is not of the channel ${channel}.`);
  const digests: Digest[] = [];
  for (const word of words) {
    const digest = word === same ? digests.at(-1) : word;
    if (digest === undefined || digest === '') throw new Error(`Line ${number} has a digest that is none.`);
    digests.push(digest);
  }
  return digests;
}

/** The name of a run: game, dialect and seed. */
export function nameOf({ game, dialect, seed }: Pick<Play, 'game' | 'dialect' | 'seed'>): string {
  return `${game} ${dialect} ${seed}`;
}

function byName(a: Play, b: Play): number {
  const [x, y] = [nameOf(a), nameOf(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

interface WitnessDifference {
  readonly game: string;
  readonly dialect: DialectName;
  readonly seed: string;
  /** The second at which the difference begins; absent if the runs cannot be compared. */
  readonly second?: number;
  readonly what: string;
}

/**
 * The first difference of each run, over the seconds that both cover. `expects` tells which runs of `before` must be in
 * `after`; missing ones are differences, as are runs that only `after` has.
 */
export function compareWitnesses(
  before: Witness,
  after: Witness,
  expects: (play: Play) => boolean = () => true,
): WitnessDifference[] {
  if (before.bots !== after.bots) throw new Error(`One was played by ${before.bots} bots, the other by ${after.bots}.`);
  const seconds = Math.min(before.seconds, after.seconds);
  const known = new Map(before.plays.map((play) => [nameOf(play), play]));
  const differences: WitnessDifference[] = [];
  for (const play of [...after.plays].sort(byName)) {
    const difference = differenceOf(known.get(nameOf(play)), play, seconds);
    const { game, dialect, seed } = play;
    if (difference !== undefined) differences.push({ game, dialect, seed, ...difference });
    known.delete(nameOf(play));
  }
  for (const play of known.values()) {
    const { game, dialect, seed } = play;
    if (expects(play)) differences.push({ game, dialect, seed, what: 'was not played' });
  }
  return differences;
}

function differenceOf(
  before: Play | undefined,
  after: Play,
  seconds: number,
): Pick<WitnessDifference, 'second' | 'what'> | undefined {
  if (before === undefined) return { what: 'is not in the baseline' };
  if (before.document !== after.document) return { what: 'the game is another document' };
  for (let second = 0; second <= seconds; second++) {
    const [old, now] = [before.seconds[second], after.seconds[second]];
    if (now === undefined && after.threw !== undefined) return { second, what: `the engine threw: ${after.threw}` };
    if (old === undefined && now === undefined) return undefined;
    if (old === undefined) return { second, what: 'the game had ended before' };
    if (now === undefined) return { second, what: 'the game ends earlier' };
    const differing = channels.filter((channel) => old[channel] !== now[channel]);
    if (differing.length > 0) return { second, what: differing.join(', ') };
  }
  return undefined;
}
