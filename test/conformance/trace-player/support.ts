import type { StateView, ValueView } from '../../../engine/index.ts';
import { tickOf } from './compare-triggers.ts';
import type { FiredTrigger, Recording } from './recording.ts';
import { type Sample, type TraceFile, type TraceTrigger, wholeSamples } from './trace.ts';

/** A case with one unit and one variable at 20 ticks per second, which tests modify. */
export function madeUpTrace(parts: Partial<TraceFile> & Pick<TraceFile, 'samples'>): TraceFile {
  return {
    name: 'made_up',
    family: 'a',
    rates: { frameRate: 20, engineTickRate: 20 },
    duration: parts.samples.at(-1)?.t ?? 0,
    sampleEvery: 1,
    definition: { data: {} },
    inputs: [],
    triggers: [],
    ...parts,
  };
}

/** The result of an engine that behaves exactly as recorded. Nothing changes between samples. */
export function replayOf(trace: TraceFile): Recording {
  const rate = Math.max(trace.rates.frameRate, trace.rates.engineTickRate) === 20 ? 20 : 60;
  const samples = wholeSamples(trace.samples);
  const lastTick = Math.round(samples.at(-1)!.time * rate);
  const views: StateView[] = [];
  let next = 0;
  for (let tick = 0; tick <= lastTick; tick++) {
    if (next < samples.length && Math.round(samples[next]!.time * rate) <= tick) next++;
    views.push(viewOf(samples[Math.max(0, next - 1)]!));
  }
  const gameTicks = Math.round(rate / trace.rates.engineTickRate);
  return { rate, gameTicks, views, triggers: trace.triggers.map((trigger) => fired(trigger, rate)), faults: [] };
}

export function fired({ t, scope, type, entity, payload, heard }: TraceTrigger, rate = 20): FiredTrigger {
  return {
    tick: tickOf(t, rate),
    scope,
    type,
    entity,
    payload: (payload ?? {}) as Readonly<Record<string, ValueView>>,
    heard: heard === true,
  };
}

function viewOf({ entities, variables }: Sample): StateView {
  return {
    units: [...entities.units.values()],
    items: [...entities.items.values()],
    projectiles: [...entities.projectiles.values()],
    players: [...entities.players.values()],
    variables,
  } as unknown as StateView;
}
