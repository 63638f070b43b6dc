import type { PlayRecord, Sample, TriggerRow } from './history.ts';

export function sample(second: number, parts: Partial<Sample> = {}): Sample {
  return { second, counts: {}, variables: {}, players: new Map(), units: new Map(), ...parts };
}

export function row(tick: number, kind = 'global secondTick', self = ''): TriggerRow {
  return { tick, kind, self, about: {} };
}

export function record(parts: Partial<PlayRecord> = {}): PlayRecord {
  return { samples: [], triggers: [], frameTicks: new Map(), scripts: new Map(), actions: new Map(), ...parts };
}
