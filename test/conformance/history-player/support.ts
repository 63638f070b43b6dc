import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { HistoryFile, PlanInput, PlayRecord, Sample, TriggerRow } from './history.ts';

/** A game that draws a number when it starts and once a second, and gives each player a unit that loses health. */
export const definition = {
  data: {
    defaultData: { frameRate: 20, engineTickRate: 20, clientPhysicsEngine: 'planck' },
    map: { width: 10, height: 10, layers: [] },
    variables: {
      first: { dataType: 'number' },
      last: { dataType: 'number' },
      spawn: { dataType: 'region', default: { x: 0, y: 0, width: 64, height: 64 } },
    },
    scripts: {
      start: {
        triggers: [{ type: 'gameStart' }],
        actions: [{ type: 'comment' }, draws('first')],
      },
      join: {
        triggers: [{ type: 'playerJoinsGame' }],
        actions: [
          {
            type: 'createUnitAtPosition',
            unitType: 'walker',
            entity: { function: 'getTriggeringPlayer' },
            position: { function: 'xyCoordinate', x: 100, y: 200 },
            angle: 0,
          },
        ],
      },
      second: { triggers: [{ type: 'secondTick' }], actions: [draws('last')] },
    },
    unitTypes: {
      walker: {
        name: 'Walker',
        states: { default: { name: 'default', body: 'none' } },
        attributes: { health: { name: 'health', value: 100, min: 0, max: 100, regenerateSpeed: 0 } },
        scripts: {
          hurt: {
            triggers: [{ type: 'secondTick' }],
            actions: [
              {
                type: 'setEntityAttribute',
                attribute: 'health',
                entity: { function: 'thisEntity' },
                value: 50,
              },
            ],
          },
          picks: { triggers: [{ type: 'thisUnitPickedUpAnItem' }], actions: [] },
        },
      },
    },
  },
};

function draws(variable: string): object {
  return {
    type: 'setVariable',
    variableName: variable,
    value: { function: 'getRandomNumberBetween', min: 0, max: 999_999 },
  };
}

export const inputs: readonly PlanInput[] = [{ t: 0.525, kind: 'join', player: 'p1', number: 1 }];

export function historyFile(parts: Partial<HistoryFile> = {}): HistoryFile {
  return {
    format: 'history/1',
    game: 'made-up',
    definition: { file: 'made-up.json', sha256: sha256(JSON.stringify(definition)) },
    rates: { scripts: 20, physics: 20, ticksPerSecond: 20 },
    seconds: 2,
    epochMs: 0,
    plan: { file: 'plan.json', sha256: sha256(planText) },
    random: { rule: 'tick-actions-stream', salt: 1 },
    samples: [],
    triggers: { kinds: [], list: [], frameTicks: {} },
    scripts: {},
    actions: {},
    ...parts,
  };
}

const planText = JSON.stringify({ format: 'plan/1', seconds: 2, inputs });

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Writes the history, its plan and its definition; gives the path of the history and the folder of games. */
export function written(
  folder: string,
  file: HistoryFile,
  { packed = true } = {},
): { readonly path: string; readonly games: string } {
  const games = join(folder, 'games');
  mkdirSync(games, { recursive: true });
  writeFileSync(join(games, 'made-up.json'), JSON.stringify(definition));
  writeFileSync(join(folder, 'plan.json'), planText);
  const path = join(folder, `${file.game}.history.json${packed ? '.gz' : ''}`);
  const text = JSON.stringify(file);
  writeFileSync(path, packed ? new Uint8Array(gzipSync(text)) : text);
  return { path, games };
}

/** A recording of what an engine did that did exactly this. */
export function asHistory(record: PlayRecord, parts: Partial<HistoryFile> = {}): HistoryFile {
  const kinds = [...new Set(record.triggers.map(({ kind }) => kind))];
  const list = record.triggers.map(({ tick, kind, self, about }) => [tick, kinds.indexOf(kind), self, about] as const);
  const samples = record.samples.map(({ second, counts, variables, players, units }) => ({
    t: second,
    counts,
    variables,
    players: Object.fromEntries(players),
    units: Object.fromEntries(units),
  }));
  return historyFile({
    samples,
    triggers: { kinds, list, frameTicks: Object.fromEntries(record.frameTicks) },
    scripts: Object.fromEntries(record.scripts),
    actions: Object.fromEntries(record.actions),
    ...parts,
  });
}

export function sample(second: number, parts: Partial<Sample> = {}): Sample {
  return { second, counts: {}, variables: {}, players: new Map(), units: new Map(), ...parts };
}

export function row(tick: number, kind = 'global secondTick', self = ''): TriggerRow {
  return { tick, kind, self, about: {} };
}

export function record(parts: Partial<PlayRecord> = {}): PlayRecord {
  return { samples: [], triggers: [], frameTicks: new Map(), scripts: new Map(), actions: new Map(), ...parts };
}
