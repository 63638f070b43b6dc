import { type Definition, type DialectName, dialectNamed, type LoadedGame } from '../../engine/index.ts';
import { programsOfGame, type Rates, ratesOf, scriptsOf } from '../../engine/tools.ts';
import { type Counts, tally } from '../statistics/index.ts';
import { gameTitle } from '../text/index.ts';
import { type OperationCounts, operationsOf } from './operations.ts';

export interface TypeRow {
  readonly key: string;
  readonly name: string;
  readonly attributes: number;
  readonly variables: number;
  readonly states: number;
  readonly scripts: number;
}

/** The contents of a game, as printed by `reenact inspect --json`. Counts are sorted, largest first. */
export interface Inspection {
  readonly title: string | null;
  readonly engineVersion: string | null;
  readonly physicsEngine: string | null;
  readonly maxPlayers: number | null;
  readonly dialect: DialectName;
  /** The declared rates (null if absent), and those that the dialect derives from them. */
  readonly rates: { readonly frameRate: number | null; readonly engineTickRate: number | null } & Rates;
  readonly map: MapSummary | null;
  readonly types: { readonly [kind in 'units' | 'items' | 'projectiles' | 'players']: readonly TypeRow[] };
  readonly scripts: {
    readonly global: number;
    readonly entity: number;
    /** The number of actions in all scripts. */
    readonly actions: number;
    /** Scripts without a trigger, which are run by key bindings, effects and other scripts. */
    readonly withoutTrigger: number;
    readonly byTrigger: Counts;
  };
  /** By key: what it does, and for how many unit types. */
  readonly bindings: { readonly [key: string]: Counts };
  /** State names of units, items and projectiles, with the number of types that have one. */
  readonly states: Counts;
  readonly variables: { readonly total: number; readonly byType: Counts };
  readonly shops: readonly {
    readonly key: string;
    readonly name: string;
    readonly items: number;
    readonly units: number;
  }[];
  readonly dialogues: readonly { readonly key: string; readonly name: string; readonly options: number }[];
  readonly regions: readonly Region[];
  readonly operations: OperationCounts;
}

interface Region {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface MapSummary {
  /** In cells. */
  readonly width: number;
  readonly height: number;
  /** Pixels per cell. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** `count`: the number of cells with a tile, or of objects. */
  readonly layers: readonly { readonly name: string; readonly type: string; readonly count: number }[];
  readonly wallCells: number;
}

export function inspectGame(game: LoadedGame, dialect: DialectName): Inspection {
  const { definition } = game;
  const { defaultData, unitTypes, itemTypes, projectileTypes, playerTypes, variables } = definition;
  const program = programsOfGame(game).program(dialect);
  const withoutTrigger = program.scripts.filter(({ triggers }) => triggers.length === 0).length;
  return {
    title: gameTitle(definition) ?? null,
    engineVersion: defaultData.engineVersion ?? null,
    physicsEngine: defaultData.physicsEngine ?? null,
    maxPlayers: defaultData.defaultMaxPlayers ?? null,
    dialect,
    rates: {
      frameRate: defaultData.frameRate ?? null,
      engineTickRate: defaultData.engineTickRate ?? null,
      ...ratesOf(defaultData, dialectNamed(dialect)),
    },
    map: mapSummary(definition),
    types: {
      units: Array.from(unitTypes.values(), embodiedRow),
      items: Array.from(itemTypes.values(), embodiedRow),
      projectiles: Array.from(projectileTypes.values(), embodiedRow),
      players: Array.from(playerTypes.values(), (type) => typeRow(type)),
    },
    scripts: {
      global: definition.scripts.size,
      entity: program.scripts.length - definition.scripts.size,
      actions: program.locationCount,
      withoutTrigger,
      byTrigger: tally(triggersOf(definition)),
    },
    bindings: bindingsOf(definition),
    states: tally(stateNames(definition)),
    variables: {
      total: variables.size,
      byType: tally([...variables.values()].map(({ dataType }) => dataType || 'no type')),
    },
    shops: Array.from(definition.shops.values(), ({ key, name, itemTypes, unitTypes }) => {
      return { key, name, items: itemTypes.size, units: unitTypes.size };
    }),
    dialogues: Array.from(definition.dialogues.values(), ({ key, name, options }) => ({
      key,
      name,
      options: options.length,
    })),
    regions: regionsOf(definition),
    operations: operationsOf(definition, program),
  };
}

type Sized = { readonly size: number };

interface Declared {
  readonly key: string;
  readonly name: string;
  readonly attributes: Sized;
  readonly variables: Sized;
}

function typeRow({ key, name, attributes, variables }: Declared, states = 0, scripts = 0): TypeRow {
  return { key, name, attributes: attributes.size, variables: variables.size, states, scripts };
}

function embodiedRow(type: Declared & { readonly states: Sized; readonly scripts: Sized }): TypeRow {
  return typeRow(type, type.states.size, type.scripts.size);
}

function mapSummary({ map, cellSize }: Definition): MapSummary | null {
  if (map === undefined) return null;
  const filled = (data: readonly number[]): number => data.reduce((count, tile) => (tile === 0 ? count : count + 1), 0);
  return {
    width: map.width,
    height: map.height,
    cellWidth: cellSize.width,
    cellHeight: cellSize.height,
    layers: map.layers.map(({ name, type, data, objects }) => {
      return { name, type, count: type === 'tilelayer' ? filled(data) : objects.length };
    }),
    wallCells: filled(map.layerByName.get('walls')?.data ?? []),
  };
}

function* embodiedTypes({ unitTypes, itemTypes, projectileTypes }: Definition) {
  yield* unitTypes.values();
  yield* itemTypes.values();
  yield* projectileTypes.values();
}

function* triggersOf(definition: Definition): Generator<string> {
  for (const { source } of scriptsOf(definition).scripts) yield* new Set(source.triggers);
}

function* stateNames(definition: Definition): Generator<string> {
  for (const type of embodiedTypes(definition)) for (const [key, state] of type.states) yield state.name || key;
}

function bindingsOf(definition: Definition): Record<string, Counts> {
  const byKey = new Map<string, string[]>();
  for (const { controls, scripts } of definition.unitTypes.values()) {
    for (const [key, { keyDown, keyUp }] of controls?.abilities ?? []) {
      const list = byKey.get(key) ?? [];
      byKey.set(key, list);
      for (const binding of [keyDown, keyUp]) {
        if (binding === undefined) continue;
        switch (binding.kind) {
          case 'script':
            list.push(
              (scripts.get(binding.scriptName) ?? definition.scripts.get(binding.scriptName))?.name ||
                binding.scriptName,
            );
            break;
          case 'ability':
            list.push(definition.abilities.get(binding.abilityKey)?.name || binding.abilityKey);
            break;
          case 'cast':
            list.push(`${binding.event} ${controls?.unitAbilities.get(binding.abilityId)?.name || binding.abilityId}`);
            break;
        }
      }
    }
  }
  return Object.fromEntries(Array.from(byKey, ([key, list]) => [key, tally(list)]));
}

function regionsOf({ variables }: Definition): Region[] {
  const regions: Region[] = [];
  for (const [name, { dataType, default: initial }] of variables) {
    if (dataType !== 'region') continue;
    const { x = 0, y = 0, width = 0, height = 0 } = (initial ?? {}) as Partial<Region>;
    regions.push({ name, x, y, width, height });
  }
  return regions;
}
