import { type Difference, isRecord } from './difference.ts';
import type { Recording } from './recording.ts';
import type { Sample, TraceFile } from './trace.ts';

/** How long a wandering unit stands and walks (reference: units#ai-states). */
const standingSeconds = [2, 4] as const;
const walkingSeconds = [1.5, 3] as const;

/**
 * Units whose AI wanders move randomly, so only the timing of their movement is compared: they start standing, then alternately walk and stand, each
 * for a time within bounds.
 */
export function compareWandering(trace: TraceFile, samples: readonly Sample[], recording: Recording): Difference[] {
  const differences: Difference[] = [];
  for (const id of wanderersOf(trace, samples)) {
    if (!alwaysIdle(id, samples)) continue;
    const moments = recording.views
      .map((view, tick) => ({ tick, unit: view.units.find((unit) => unit.id === id) }))
      .filter(({ unit }) => unit !== undefined);
    let since = moments[0]?.tick ?? 0;
    let moving = false;
    for (const { tick, unit } of moments) {
      if (unit!.moving === moving) continue;
      const seconds = (tick - since) / recording.rate;
      const [least, most] = moving ? walkingSeconds : standingSeconds;
      const tolerance = (2 * recording.gameTicks) / recording.rate;
      if (seconds < least - tolerance || seconds > most + tolerance) {
        differences.push({
          timeSeconds: tick / recording.rate,
          path: `${id}.${moving ? 'walking' : 'standing'}`,
          expected: `${least} to ${most} s`,
          got: `${seconds} s`,
        });
      }
      since = tick;
      moving = unit!.moving;
    }
  }
  return differences;
}

/** Labels of the units whose AI wanders when idle. */
export function wanderersOf(trace: TraceFile, samples: readonly Sample[]): ReadonlySet<string> {
  const labels = new Set<string>();
  for (const { entities } of samples) {
    for (const { id, type } of entities.units.values()) {
      if (wanders(trace.definition, String(type))) labels.add(id);
    }
  }
  return labels;
}

function wanders(definition: unknown, unitType: string): boolean {
  const ai = ['data', 'unitTypes', unitType, 'ai'].reduce<unknown>(
    (at, key) => (isRecord(at) ? at[key] : undefined),
    definition,
  );
  return isRecord(ai) && ai.enabled === true && ai.idleBehaviour === 'wander';
}

function alwaysIdle(id: string, samples: readonly Sample[]): boolean {
  return samples.every(({ entities }) => {
    const unit = entities.units.get(id);
    return unit === undefined || unit.ai === undefined || unit.ai === 'idle';
  });
}
