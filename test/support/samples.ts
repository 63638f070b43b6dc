import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type DialectName,
  type Editor,
  type Entity,
  type LoadedGame,
  loadDefinition,
  type OutputEvent,
  type PlayerHandle,
  Simulation,
  type UnitHandle,
} from '../../engine/index.ts';
import { EntityRef, insideOf, Kind, rowOf, typeOf } from '../../engine/internal.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is edited before anything has checked it.
type Document = any;

export const samplesFolder = fileURLToPath(new URL('../../scenarios/games/', import.meta.url));

export function sampleDocument(file: string): Document {
  return JSON.parse(readFileSync(`${samplesFolder}${file}`, 'utf8'));
}

/** A sample game, with the test's changes to its `data`. */
export function sampleGame(file: string, change: (data: Document) => void = () => {}): LoadedGame {
  const document = sampleDocument(file);
  change(document.gameJson.data);
  const { game, issues } = loadDefinition(document);
  if (game === undefined) throw new Error(`${file} is no definition: ${JSON.stringify(issues)}`);
  return game;
}

export interface SamplePlay {
  readonly sim: Simulation;
  readonly edit: Editor;
  readonly outputs: readonly OutputEvent[];
  /** Joins players and steps until they are in the game. */
  join(count: number, more?: Parameters<Simulation['join']>[0]): PlayerHandle[];
  seconds(seconds: number): void;
  attribute(entity: Entity, key: string): number;
  /** A variable of an entity or player. */
  variable(entity: Entity, key: string): unknown;
  type(entity: Entity): string | undefined;
  unit(entity: Entity): UnitHandle;
  /** The player of a unit, the carrier of an item; 0 for none. */
  ownerOf(entity: Entity): Entity;
  /** Living units of a type, oldest first. */
  units(type: string): Entity[];
  /** Living items of a type, oldest first. */
  items(type: string): Entity[];
  place(entity: Entity): { x: number; y: number };
  /** How often a script ran, by its path (`scripts/reset`). */
  runs(place: string): number;
}

export function playSample(
  file: string,
  options: { change?: (data: Document) => void; seed?: string; dialect?: DialectName } = {},
): SamplePlay {
  const { change, seed = 'sample', dialect = 'standard' } = options;
  const outputs: OutputEvent[] = [];
  const sim = new Simulation(sampleGame(file, change), { seed, dialect, onOutput: (event) => outputs.push(event) });
  const { world } = insideOf(sim);
  const ofType = (kind: 'unit' | 'item', type: string): Entity[] =>
    sim.entities(kind).filter((entity) => typeOf(world, entity)?.key === type);
  return {
    sim,
    edit: sim.edit,
    outputs,
    join(count, more = {}) {
      const handles = Array.from({ length: count }, () => sim.join(more));
      sim.step();
      return handles;
    },
    seconds: (seconds) => sim.run({ seconds }),
    attribute(entity, key) {
      const row = rowOf(entity);
      const { types, components, attributes } = world;
      const table = components.identity.kind[row] === Kind.player ? types.player : types.unit;
      const offset = table.list[components.identity.type[row]!]?.attributes.offsets.get(key);
      return offset === undefined ? Number.NaN : attributes.value[components.attributes.start[row]! + offset]!;
    },
    variable(entity, key) {
      const set = world.components.variables[rowOf(entity)];
      const slot = set?.layout.slots.get(key);
      const value = slot === undefined ? undefined : set!.values[slot];
      return value instanceof EntityRef ? value.entity : value;
    },
    type: (entity) => typeOf(world, entity)?.key,
    unit: (entity) => sim.handle(entity) as UnitHandle,
    ownerOf: (entity) => (world.exists(entity) ? world.components.identity.owner[rowOf(entity)]! : 0),
    units: (type) => ofType('unit', type),
    items: (type) => ofType('item', type),
    place: (entity) => ({
      x: world.components.transform.x[rowOf(entity)]!,
      y: world.components.transform.y[rowOf(entity)]!,
    }),
    runs(place) {
      const script = insideOf(sim).runtime.program.scripts.find((each) => each.place === place);
      if (script === undefined) throw new Error(`There is no script ${place}.`);
      return insideOf(sim).runtime.runs[script.index]!;
    },
  };
}
