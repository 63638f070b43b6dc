import { type DialectName, dialectNamed, type LoadedGame } from '../../engine/index.ts';
import { ratesOf, scriptsOf, type VariableDefinition } from '../../engine/tools.ts';
import { modelOf } from '../model/index.ts';
import { gameTitle } from '../text/index.ts';

/** An entry of a section: its key, its name if entries of this kind have names, and further details. */
interface Listed {
  readonly key: string;
  readonly name?: string;
}

/** The contents of a game. `reenact inspect --json` prints this object; `inspectionText` formats it for a terminal. */
export type Inspection = ReturnType<typeof inspectGame>;

/** Lists the contents of a game, with one member per section. Members without a value are undefined. */
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
    /** The size of the map in cells, and the size of a cell in pixels. */
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
      /**
       * The triggers of the script, and everything else that starts it except other scripts, such as `key e` and
       * `dialogue shop`.
       */
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

/** The names of `things`, as found in `named` under the same keys. The key replaces a missing name. */
function namesOf(things: ReadonlyMap<string, Listed> = new Map(), named = things): string[] {
  return Array.from(things.keys(), (key) => named.get(key)?.name || key);
}
