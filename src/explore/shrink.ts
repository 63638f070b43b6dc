import { type JournalRecord, type LoadedGame, Simulation } from '../../engine/index.ts';
import { inputUnchecked } from '../../engine/internal.ts';
import { journalBytes } from '../journal/journal-bytes.ts';
import { Detector, type FindingKind, type Sighting } from './detector.ts';
import { bindPlan, type InputRecording, recordEpisode, type TimedInput } from './episode.ts';
import type { Episode, ExplorePlan } from './plan.ts';

/** A confirmed finding: a short play from the start of the game that shows it. Plain data. */
export interface Finding extends Sighting {
  readonly recording: InputRecording;
  /** The number of inputs of the play in which it was found. */
  readonly inputsBefore: number;
  readonly rate: number;
  /** Whether generated saved data is part of the inputs. */
  readonly hasSaves: boolean;
  /** Codes of the other faults that occur in the play. */
  readonly otherFaults: readonly string[];
  readonly journal: Uint8Array;
}

/** Mistakes that need a given time to show, so their plays are not shortened. */
const lasting: ReadonlySet<FindingKind> = new Set(['leak', 'within']);

/**
 * A leak must still grow when the play lasts this many times as long; else it may be a population that fills up slowly.
 */
const leakFactor = 2;

const lastInputs = [1, 4, 16, 64];

interface Shown {
  readonly sighting: Sighting;
  readonly rate: number;
  readonly otherFaults: readonly string[];
}

/**
 * Shrinks the sightings of one episode, which is played once more to record its inputs. Mistakes often occur together,
 * so each is first tried with the plays that others were shrunk to. Undefined for one that a replay of the inputs does
 * not reproduce.
 */
export function shrinkAll(
  game: LoadedGame,
  plan: ExplorePlan,
  episode: Episode,
  sightings: readonly Sighting[],
  ticksMax: number,
): (Finding | undefined)[] {
  const whole = recordEpisode(
    game,
    plan,
    episode,
    Math.max(...sightings.map((sighting) => ticksOf(sighting, episode))),
  );
  const findings: (Finding | undefined)[] = [];
  for (const sighting of sightings) {
    const ticks = ticksOf(sighting, episode);
    const recorded = { ...whole, ticks, inputs: whole.inputs.filter(({ tick }) => tick <= ticks) };
    const short = findings.flatMap((finding) => finding?.recording ?? []);
    findings.push(shrink(game, plan, { recorded, short, sighting, hasSaves: episode.hasSaves, ticksMax }));
  }
  return findings;
}

/** How long a play must last to show a sighting of an episode. */
function ticksOf({ kind, tick }: Sighting, episode: Episode): number {
  if (kind === 'leak') return episode.ticks * leakFactor;
  // An engine that fails does so in the tick after the last complete one.
  return kind === 'crash' ? tick + 1 : tick;
}

interface Work {
  /** The recorded play in which it was seen. */
  readonly recorded: InputRecording;
  /** Plays that other sightings were shrunk to, which may show it, too. */
  readonly short: readonly InputRecording[];
  readonly sighting: Sighting;
  readonly hasSaves: boolean;
  readonly ticksMax: number;
}

/**
 * Removes the inputs of a play that a finding does not need, by delta debugging. At most `ticksMax` ticks are played
 * after the first replay: a budget in ticks gives the same result on every machine.
 */
function shrink(game: LoadedGame, plan: ExplorePlan, work: Work): Finding | undefined {
  const { recorded, short, hasSaves: isWithSaves, ticksMax } = work;
  const { key, kind } = work.sighting;
  const known = short.find((each) => replay(game, plan, each, key) !== undefined);
  const first = known ?? recorded;
  let shown = replay(game, plan, first, key);
  if (shown === undefined) return undefined;
  let recording = cutAt(first, shown, kind);
  let budget = ticksMax;
  /** Keeps a smaller play if it shows the finding, too. */
  const accepts = (candidate: InputRecording): boolean => {
    if (budget <= 0) return false;
    budget -= candidate.ticks;
    const again = replay(game, plan, candidate, key);
    if (again === undefined) return false;
    shown = again;
    recording = cutAt(candidate, again, kind);
    return true;
  };
  const withInputs = (inputs: readonly TimedInput[]): InputRecording => ({ ...recording, inputs });

  accepts(withInputs([]));
  // Most mistakes follow what players did last.
  for (const last of lastInputs) {
    const from = recording.inputs.length - last;
    if (from <= 0 || accepts(withInputs(recording.inputs.filter(({ input }, i) => i >= from || input.kind === 'join'))))
      break;
  }
  for (const player of playersOf(recording))
    accepts(withInputs(recording.inputs.filter((each) => playerOf(each) !== player)));
  for (let size = Math.ceil(recording.inputs.length / 2); size >= 1 && budget > 0; size = Math.floor(size / 2)) {
    for (let at = 0; at < recording.inputs.length && budget > 0; ) {
      const { inputs } = recording;
      if (!accepts(withInputs([...inputs.slice(0, at), ...inputs.slice(at + size)]))) at += size;
    }
  }
  if (!lasting.has(kind)) shortenWaits(() => recording, accepts);
  const hasSaves = recording.inputs.some(({ input }) => input.kind === 'join' && 'persisted' in input);
  return {
    ...shown.sighting,
    recording,
    inputsBefore: recorded.inputs.length,
    rate: shown.rate,
    hasSaves: isWithSaves && hasSaves,
    otherFaults: shown.otherFaults,
    journal: journalOf(game, plan, recording),
  };
}

/** Removes ticks without inputs, half of a wait at a time. */
function shortenWaits(now: () => InputRecording, accepts: (candidate: InputRecording) => boolean): void {
  const starts = (): number[] => [0, ...new Set(now().inputs.map(({ tick }) => tick))];
  for (let i = 0; i < starts().length; i++) {
    for (let part = 1; part <= 4; part *= 2) {
      const { seed, ticks, inputs } = now();
      const from = starts()[i]!;
      const to = starts()[i + 1] ?? ticks;
      const removed = Math.floor((to - from - 1) / part);
      if (removed < 1) break;
      const moved = inputs.map((each) => (each.tick > from ? { ...each, tick: each.tick - removed } : each));
      if (accepts({ seed, ticks: ticks - removed, inputs: moved })) part = 0.5;
    }
  }
}

function cutAt(recording: InputRecording, { sighting }: Shown, kind: FindingKind): InputRecording {
  if (lasting.has(kind)) return recording;
  // An engine that fails does so in the tick after the last complete one.
  const ticks = Math.min(recording.ticks, sighting.tick + (kind === 'crash' ? 1 : 0));
  return { ...recording, ticks, inputs: recording.inputs.filter(({ tick }) => tick <= ticks) };
}

function playersOf({ inputs }: InputRecording): Set<string> {
  return new Set(inputs.flatMap((each) => playerOf(each) ?? []));
}

function playerOf({ input }: TimedInput): string | undefined {
  if (input.kind === 'join') return input.clientId;
  return 'player' in input ? input.player : undefined;
}

/** Plays inputs from the start of the game until a finding shows; undefined if it does not. */
export function replay(game: LoadedGame, plan: ExplorePlan, recording: InputRecording, key: string): Shown | undefined {
  const sim = new Simulation(game, { seed: recording.seed, dialect: plan.dialect });
  const detector = new Detector(
    sim,
    plan,
    bindPlan(game, plan, () => sim),
  );
  try {
    for (let next = 0; sim.tick < recording.ticks && !sim.ended && !detector.found.has(key); ) {
      next = queueInputs(sim, recording, next);
      sim.step();
      detector.look();
    }
  } catch (error) {
    detector.crashed(error);
  }
  if (sim.tick >= recording.ticks || sim.ended) detector.end();
  const sighting = detector.found.get(key);
  if (sighting === undefined) return undefined;
  const codes = new Set(
    sim
      .faults()
      .filter(({ code, at }) => `${code} ${at}` !== key.slice(key.indexOf(' ') + 1))
      .map(({ code }) => code),
  );
  return { sighting, rate: sim.rate, otherFaults: [...codes] };
}

/** Queues the inputs of the next tick; returns the index of the first one after them. */
function queueInputs(sim: Simulation, { inputs }: InputRecording, from: number): number {
  let next = from;
  for (; next < inputs.length && inputs[next]!.tick <= sim.tick + 1; next++) inputUnchecked(sim, inputs[next]!.input);
  return next;
}

function journalOf(game: LoadedGame, plan: ExplorePlan, recording: InputRecording): Uint8Array {
  const sim = new Simulation(game, { seed: recording.seed, dialect: plan.dialect });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((record) => records.push(record), { snapshotTicks: 0, source: plan.game });
  try {
    for (let next = 0; sim.tick < recording.ticks && !sim.ended; ) {
      next = queueInputs(sim, recording, next);
      sim.step();
    }
    recorder.end();
  } catch {
    // When the engine fails, the journal ends with the tick before.
  }
  return journalBytes(records);
}
