import { arrangeJournal, type JournalRecord, type LoadedGame, Simulation } from '../../../engine/index.ts';
import { inputUnchecked } from '../../../engine/tools.ts';
import { readJournalBytes } from '../../journal/index.ts';
import { endedJournal, playEpisode } from '../playing/episode.ts';
import { bindPlan, type Ground, groundOf } from '../playing/ground.ts';
import { type InputRecording, recordingOf, type TimedInput } from '../playing/input-recording.ts';
import { type IsOver, inTime, OutOfTime } from '../playing/time-limit.ts';
import type { Episode, ExplorePlan } from '../searching/plan.ts';
import { Detector, type FindingKind, leakFactor, type Sighting } from './detector.ts';

/** A confirmed finding: a short play from the start of the game that shows it. Plain data. */
export interface Finding extends Sighting {
  readonly recording: InputRecording;
  /** The number of inputs of the play in which the mistake was found. */
  readonly inputsBefore: number;
  readonly rate: number;
  /** Codes of the other faults that occur in the play. */
  readonly otherFaults: readonly string[];
  readonly journal: Uint8Array;
}

/** Kinds of mistakes that need a certain time to show, so waits in their plays are not shortened. */
const lasting: ReadonlySet<FindingKind> = new Set(['leak', 'within']);

/** The lengths of the short plays that are tried first. */
const recentSeconds = [2, 8, 32];
const leakSeconds = [150, 300];

/** The tick budget for shrinking allows at least this many replays of the play. */
const replaysMin = 4;
/** Time reserved for writing the journal of the shrunk play, as a multiple of the time of the first replay. */
const closingReplays = 1.5;

interface Shown {
  readonly sighting: Sighting;
  readonly rate: number;
  readonly otherFaults: readonly string[];
}

export interface ToShrink {
  readonly episode: Episode;
  readonly sighting: Sighting;
  /** The play that showed the sighting. Without it, the episode is played once more. */
  readonly journal?: Uint8Array | undefined;
  /** The plays to which other sightings were shrunk; they may show this one, too. */
  readonly short: readonly InputRecording[];
  readonly ticksMax: number;
}

/** How many ticks a play must last to show a sighting of an episode. */
function ticksOf({ kind, tick }: Sighting, episode: Episode): number {
  if (kind === 'leak') return Math.min(tick, episode.ticks) * leakFactor;
  // When the engine fails, it does so in the tick after the last complete one.
  return kind === 'crash' ? tick + 1 : tick;
}

/**
 * Shrinks the play of a sighting, and returns the finding; undefined if a replay of the inputs did not reproduce it.
 * Throws `OutOfTime` if there is not even time to confirm the sighting; if the time ends later, the finding is less
 * shrunk.
 */
export function shrink(
  game: LoadedGame,
  plan: ExplorePlan,
  { episode, sighting, journal, short, ticksMax }: ToShrink,
  isOver: IsOver,
): Finding | undefined {
  const { key } = sighting;
  const played = sighting.recording ?? recordedIn(journal ?? playEpisode(game, plan, episode, isOver).journal);
  if (isOver()) throw new OutOfTime();
  if (played === undefined) return undefined;
  const ticks = ticksOf(sighting, episode);
  const whole = { ...played, ticks, inputs: played.inputs.filter(({ tick }) => tick <= ticks) };
  const ground = groundOf(game, plan);
  const [some] = playersOf(whole.inputs);
  // Only a long replay confirms a leak, so one with a single player is tried before that with all players.
  const alone = { ...whole, inputs: whole.inputs.filter((each) => playerOf(each) === some) };
  const likely = sighting.kind === 'leak' ? [...short, alone] : short;
  const known = likely.find((each) => replay(plan, ground, each, key, { isOver }) !== undefined);
  const shrunk = shrinkRecording(plan, ground, known ?? whole, sighting, ticksMax, isOver);
  if (shrunk === undefined) return undefined;
  const { recording, shown } = shrunk;
  return {
    ...shown.sighting,
    recording,
    inputsBefore: whole.inputs.length,
    rate: shown.rate,
    otherFaults: shown.otherFaults,
    journal: journalOf(game, plan, recording),
  };
}

function recordedIn(journal: Uint8Array | undefined): InputRecording | undefined {
  const arranged = arrangeJournal(journal === undefined ? [] : readJournalBytes(journal)!.records);
  return arranged && recordingOf(arranged);
}

/**
 * Removes the inputs of a play that a finding does not need, by delta debugging. After the first replay, at most
 * `ticksMax` ticks are played (more for long plays); a budget in ticks gives the same result on every machine. Returns
 * undefined if the first replay does not show the finding. Throws `OutOfTime` during that replay; if the time ends
 * later, it returns the smallest play so far.
 */
function shrinkRecording(
  plan: ExplorePlan,
  ground: Ground,
  first: InputRecording,
  { key, kind }: Pick<Sighting, 'key' | 'kind'>,
  ticksMax: number,
  isOver: IsOver,
): { readonly recording: InputRecording; readonly shown: Shown } | undefined {
  const startMs = performance.now();
  const known = replay(plan, ground, first, key, { isOver });
  if (known === undefined) return undefined;
  let shown: Shown = known;
  const closingMs = closingReplays * (performance.now() - startMs);
  let recording = cutAt(first, shown, kind);
  let budget = Math.max(ticksMax, first.ticks * replaysMin);
  /** Keeps a candidate, and returns true, if it shows the finding, too. */
  const accepts = (candidate: InputRecording) => {
    if (budget <= 0) throw new OutOfTime();
    const again = replay(plan, ground, candidate, key, {
      isOver() {
        budget--;
        return isOver(closingMs);
      },
    });
    if (again === undefined) return false;
    shown = again;
    recording = cutAt(candidate, again, kind);
    return true;
  };
  const without = (isLeftOut: (each: TimedInput, index: number) => boolean): boolean => {
    const inputs = recording.inputs.filter((each, i) => !isLeftOut(each, i));
    return inputs.length < recording.inputs.length && accepts({ ...recording, inputs });
  };

  const rate = Math.round(known.rate);

  inTime(() => {
    if (kind === 'leak') {
      // Short plays: without players, with only their joining and leaving, with one player, and with all players.
      for (const seconds of leakSeconds) {
        const ticks = seconds * rate;
        if (ticks >= recording.ticks) break;
        const start = recording.inputs.filter(({ tick }) => tick <= ticks);
        const [some] = playersOf(start);
        const few = [[], start.filter(isCall), start.filter((each) => playerOf(each) === some), start];
        if (few.some((inputs) => accepts({ ...recording, ticks, inputs }))) break;
      }
    }
    // For a standstill, inputs after the moment from which something is missed did not help, so they can go.
    if (kind === 'standstill') without(({ tick }) => tick > shown.sighting.value!);
    without(() => true);
    // Many mistakes need only players who come and go.
    without((each) => !isCall(each));
    // Most mistakes are caused by the last inputs, so a short play of these is tried first, and then the whole play,
    // whose timers may matter, with these inputs and the joins.
    for (const seconds of recentSeconds) {
      const last = recording.inputs.at(-1)?.tick ?? 0;
      const removed = lasting.has(kind) ? 0 : last - (seconds + 1) * rate;
      // The play lasts a second longer, because its timers run at other moments than before.
      const short = { ...cut(recording, 1, removed), ticks: recording.ticks - removed + rate };
      if (removed > 0 && accepts(short)) break;
      if (without((each) => !isJoin(each) && each.tick < last - seconds * rate)) break;
    }
    // All players but the last to act, and then half of the rest at a time, down to one.
    const [last] = playersOf(recording.inputs.toReversed());
    const isOther = (each: TimedInput) => playerOf(each) !== last;
    if (!without(isOther)) without((each) => isOther(each) && !isCall(each));
    const players = [...playersOf(recording.inputs.toReversed())];
    for (let size = Math.ceil(players.length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let end = players.length; end > 0; end -= size) {
        const some = players.slice(Math.max(0, end - size), end);
        const isOfSome = (each: TimedInput) => some.includes(playerOf(each) ?? '');
        // Some players must be present, but none of their other inputs is needed.
        if (!without(isOfSome)) without((each) => isOfSome(each) && !isJoin(each));
      }
    }
    for (const left of new Set(recording.inputs.map(kindOfInput))) without((each) => kindOfInput(each) === left);
    let isLess = false;
    for (let size = Math.ceil(recording.inputs.length / 2); size >= 1; size = isLess ? size : Math.floor(size / 2)) {
      isLess = false;
      // Inputs of one player are removed together, because those of several depend less on each other. Without its
      // join, nothing else of a player counts, so joins are removed last.
      for (let end = recording.inputs.length; end > 0; end = Math.min(end - size, recording.inputs.length)) {
        const sorted = players.flatMap((player) => recording.inputs.filter((each) => playerOf(each) === player));
        const some = new Set(sorted.slice(Math.max(0, end - size), end));
        if (without((each) => some.has(each) && (size === 1 || !isJoin(each)))) isLess = size === 1;
      }
    }
    if (!lasting.has(kind)) shortenWaits(() => recording, accepts);
  });
  if (kind === 'standstill') {
    // While shrinking, only a few ways to go on were tried; the game of the result must be stuck in all of them.
    const full = inTime(() => replay(plan, ground, recording, key, { isOver, isFull: true }));
    if (full === undefined) return { recording: cutAt(first, known, kind), shown: known };
  }
  return { recording, shown };
}

function isJoin({ input }: TimedInput): boolean {
  return input.kind === 'join';
}

function isCall({ input }: TimedInput): boolean {
  return input.kind === 'join' || input.kind === 'leave';
}

/** The kind of an input, with its key: pressing and releasing one are tried together. */
function kindOfInput({ input }: TimedInput): string {
  return 'key' in input ? `key ${input.key}` : input.kind;
}

/** Removes ticks without inputs: of each wait first all, then half, then a quarter. */
function shortenWaits(now: () => InputRecording, accepts: (candidate: InputRecording) => boolean) {
  const starts = (): number[] => [0, ...new Set(now().inputs.map(({ tick }) => tick))];
  for (let i = 0; i < starts().length; i++) {
    for (let part = 1; part <= 4; part *= 2) {
      const from = starts()[i]!;
      const to = starts()[i + 1] ?? now().ticks;
      const removed = Math.floor((to - from - 1) / part);
      if (removed < 1) break;
      if (accepts(cut(now(), from, removed))) part = 0.5;
    }
  }
}

/** Removes the ticks after `from`, with their inputs. Players who join in this time join before it. */
function cut({ seed, ticks, inputs }: InputRecording, from: number, removed: number): InputRecording {
  const moved = inputs.flatMap((each) => {
    if (each.tick <= from) return each;
    if (each.tick > from + removed) return { ...each, tick: each.tick - removed };
    return each.input.kind === 'join' ? { ...each, tick: from } : [];
  });
  return { seed, ticks: ticks - removed, inputs: moved };
}

function cutAt(recording: InputRecording, { sighting }: Shown, kind: FindingKind): InputRecording {
  if (lasting.has(kind)) return recording;
  // When the engine fails, it does so in the tick after the last complete one.
  const ticks = Math.min(recording.ticks, sighting.tick + (kind === 'crash' ? 1 : 0));
  return { ...recording, ticks, inputs: recording.inputs.filter(({ tick }) => tick <= ticks) };
}

function playersOf(inputs: readonly TimedInput[]): Set<string> {
  return new Set(inputs.flatMap((each) => playerOf(each) ?? []));
}

function playerOf({ input }: TimedInput): string | undefined {
  if (input.kind === 'join') return input.clientId;
  return 'player' in input ? input.player : undefined;
}

interface ReplayOptions {
  /** Called before each tick, also in forks. */
  readonly isOver?: IsOver;
  /** Whether everything is looked for, and all ways to go on are tried. */
  readonly isFull?: boolean;
}

/** Plays inputs until a finding shows; undefined if it does not. Throws `OutOfTime`. */
export function replay(
  plan: ExplorePlan,
  { begin, bind }: Ground,
  recording: InputRecording,
  key: string,
  { isOver = () => false, isFull = false }: ReplayOptions = {},
): Shown | undefined {
  const sim = begin(recording.seed);
  const detector = new Detector(sim, plan, bind, isOver, isFull ? undefined : key);
  const { inputs } = recording;
  let next = inputs.findIndex(({ tick }) => tick > sim.tick);
  if (next < 0) next = inputs.length;
  try {
    while (sim.tick < recording.ticks && !sim.ended && !detector.found.has(key)) {
      if (isOver()) throw new OutOfTime();
      next = queueInputs(sim, recording, next);
      sim.step();
      detector.look();
    }
  } catch (error) {
    if (error instanceof OutOfTime) throw error;
    detector.crashed(error);
  }
  if (sim.tick >= recording.ticks || sim.ended) detector.end();
  const sighting = detector.found.get(key);
  if (sighting === undefined) return undefined;
  // Scenarios allow faults by code, not by place, so a scenario fails until no fault of this code is left.
  const codes = new Set(sim.faults().flatMap(({ code }) => (key.split(' ')[1] === code ? [] : code)));
  return { sighting, rate: sim.rate, otherFaults: [...codes] };
}

/** The value of the objective after a play; undefined if it has none. */
export function valueAtEnd(game: LoadedGame, plan: ExplorePlan, recording: InputRecording): number | undefined {
  const sim = new Simulation(game, { seed: recording.seed, dialect: plan.dialect });
  const { objective } = bindPlan(game, plan, () => sim);
  playInputs(sim, recording);
  return objective?.number();
}

function playInputs(sim: Simulation, recording: InputRecording) {
  for (let next = 0; sim.tick < recording.ticks && !sim.ended; ) {
    next = queueInputs(sim, recording, next);
    sim.step();
  }
}

/** Queues the inputs of the next tick; returns the index of the first one after them. */
function queueInputs(sim: Simulation, { inputs }: InputRecording, from: number): number {
  let next = from;
  for (; next < inputs.length && inputs[next]!.tick <= sim.tick + 1; next++) inputUnchecked(sim, inputs[next]!.input);
  return next;
}

/** Simulates a play to make its journal. */
export function journalOf(game: LoadedGame, plan: ExplorePlan, recording: InputRecording): Uint8Array {
  const sim = new Simulation(game, { seed: recording.seed, dialect: plan.dialect });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((record) => records.push(record), { snapshotTicks: 0, source: plan.game });
  try {
    playInputs(sim, recording);
  } catch {
    // The tick in which the engine fails is not part of the journal.
  }
  return endedJournal(recorder, records);
}
