import { type DialectName, dialectNamed, type LoadedGame } from '../../engine/index.ts';
import { ratesOf, scriptsOf, type VariableDefinition } from '../../engine/tools.ts';
import { modelOf } from '../model/index.ts';
import { gameTitle } from '../text/index.ts';

/** A thing of the game: its key, its name if things of its kind have names, and the details that are listed. */
interface Listed {
  readonly key: string;
  readonly name?: string;
}

/** The contents of a game, as printed by `reenact inspect --json`; `inspectionText` shows the same table. */
export type Inspection = ReturnType<typeof inspectGame>;

/** Lists what a game has, a member for each section; members without a value are undefined. */
export function inspectGame({ definition }: LoadedGame, dialect: DialectName) {
  const { defaultData, map, cellSize, unitTypes, itemTypes } = definition;
  const model = modelOf(definition);
  return {
    title: gameTitle(definition),
    engine: {
      version: defaultData.engineVersion,
      dialect,
      maxPlayers: defaultData.defaultMaxPlayers,
      frameRate: defaultData.frameRate,
      ...ratesOf(defaultData, dialectNamed(dialect)),
    },
    /** The size of the map in cells, and that of a cell in pixels. */
    map: map && {
      width: map.width,
      height: map.height,
      cellWidth: cellSize.width,
      cellHeight: cellSize.height,
      layers: map.layers.map(({ name }) => name),
    },
    units: listed(unitTypes, ({ attributes, controls }) => ({
      attributes: [...attributes.keys()],
      abilities: namesOf(controls?.unitAbilities),
      keys: [...(controls?.abilities ?? [])].flatMap(([key, { keyDown, keyUp }]) => (keyDown || keyUp ? key : [])),
    })),
    items: listed(itemTypes, withAttributes),
    projectiles: listed(definition.projectileTypes, withAttributes),
    players: listed(definition.playerTypes, withAttributes),
    attributes: listed(definition.attributeTypes),
    abilities: listed(definition.abilities),
    scripts: scriptsOf(definition).scripts.map(({ place, source: { name } }) => ({
      key: place,
      name,
      /** Triggers, and what else starts it besides other scripts: `key e`, `dialogue shop`. */
      starts: [
        ...new Set(
          model.starts(place).flatMap(({ by, name: of }) => {
            return by === 'script' ? [] : by === 'trigger' ? of : `${by} ${of}`;
          }),
        ),
      ],
    })),
    variables: [
      ...listed(definition.variables, typed),
      ...listed(definition.entityTypeVariables, (variable) => ({ of: 'entities', ...typed(variable) })),
      ...listed(definition.playerTypeVariables, (variable) => ({ of: 'players', ...typed(variable) })),
    ],
    shops: listed(definition.shops, (shop) => ({
      items: namesOf(shop.itemTypes, itemTypes),
      units: namesOf(shop.unitTypes, unitTypes),
    })),
    dialogues: listed(definition.dialogues, ({ options }) => ({ options: options.map(({ name }) => name) })),
  };
}

function listed<T extends Listed, D extends object>(things: ReadonlyMap<string, T>, details?: (thing: T) => D) {
  return Array.from(things.values(), (thing) => ({ key: thing.key, name: thing.name, ...details?.(thing) }));
}

function withAttributes({ attributes }: { readonly attributes: ReadonlyMap<string, unknown> }) {
  return { attributes: [...attributes.keys()] };
}

function typed({ dataType, default: initial }: VariableDefinition) {
  return { type: dataType, default: initial };
}

/** The names of things, or of those with the same keys. */
function namesOf(things: ReadonlyMap<string, Listed> = new Map(), named = things): string[] {
  return Array.from(things.keys(), (key) => named.get(key)?.name || key);
}
