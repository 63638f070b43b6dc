import { Issues } from '../../engine/core/issue.ts';
import type { BodyType } from '../../engine/definition/body.ts';
import type { Definition } from '../../engine/definition/definition.ts';
import { readDefinition } from '../../engine/definition/read-definition.ts';
import { defaultLimits, type Limits } from '../../engine/world/limits.ts';
import type { TriggerPort } from '../../engine/world/trigger-dispatch.ts';
import { triggerTypes } from '../../engine/world/triggers.ts';
import { typeTables } from '../../engine/world/type-tables.ts';
import { GlobalVariables, variableLayout } from '../../engine/world/variable.ts';
import { World } from '../../engine/world/world.ts';

/** One text per row of the map, one character per cell: `#` is a wall, anything else is empty. */
export type Plan = readonly string[];

export interface WorldOptions {
  /** Walls; by default an empty map of 20 by 20 cells. */
  readonly plan?: Plan | undefined;
  /** Size of a tile as drawn, px; used only with `dontResize`. */
  readonly tileSize?: number | undefined;
  readonly settings?: Record<string, unknown> | undefined;
  readonly defaultData?: Record<string, unknown> | undefined;
  readonly limits?: Partial<Limits> | undefined;
  /** Additional members of the document's data. */
  readonly data?: Record<string, unknown> | undefined;
}

const emptyPlan: Plan = Array.from({ length: 20 }, () => '.'.repeat(20));

export function tilesOf(plan: Plan): number[] {
  return plan.flatMap((row) => [...row].map((cell) => (cell === '#' ? 1 : 0)));
}

/** A minimal definition, read like any other. */
export function definitionOf(options: WorldOptions = {}): Definition {
  const plan = options.plan ?? emptyPlan;
  const width = plan[0]?.length ?? 0;
  const height = plan.length;
  const map = {
    width,
    height,
    tilewidth: options.tileSize ?? 64,
    tileheight: options.tileSize ?? 64,
    layers: [{ name: 'walls', type: 'tilelayer', width, height, data: tilesOf(plan) }],
    tilesets: [{ name: 'tiles', firstgid: 1, tilecount: 1 }],
  };
  const document = { map, settings: options.settings ?? {}, defaultData: options.defaultData ?? {}, ...options.data };
  const definition = readDefinition({ data: { unitTypes: {}, ...document } }, new Issues());
  if (definition === undefined) throw new Error('The definition of this test has no data.');
  return definition;
}

/** For worlds without scripts. */
const noScripts: TriggerPort = {
  subscribed: new Uint8Array(triggerTypes.length),
  runGlobal() {},
  runEntity() {},
  queuedFor: () => 0,
  listens: () => false,
  queuedForAny: 0,
  runScript: () => false,
  place: () => 'engine',
  source: () => undefined,
};

export function worldOf(options: WorldOptions = {}): World {
  const definition = definitionOf(options);
  return new World({
    definition,
    limits: { ...defaultLimits, entities: 1000, ...options.limits },
    seed: 'seed',
    types: typeTables(definition),
    globals: new GlobalVariables(variableLayout(definition.variables)),
    connect: () => noScripts,
  });
}

/** Reads a body as written in a definition, and returns its normal form. */
export function bodyOf(raw: Record<string, unknown>): BodyType {
  const { unitTypes } = definitionOf({ data: { unitTypes: { unit: { name: 'unit', bodies: { body: raw } } } } });
  const body = unitTypes.get('unit')?.bodies.get('body');
  if (body === undefined) throw new Error('The body of this test could not be read.');
  return body;
}
