import { type Definition, everyNode, type LoadedGame, literalText } from '../../../engine/index.ts';
import { scriptsOf, wallCellsOf } from '../../../engine/tools.ts';
import { creationsBy, modelOf, readOf, typesGivenBy } from '../../model/index.ts';
import { Failure } from '../failure.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Determines the values of a recipe's placeholders for a game, with the help of the game's model. */
export class Fit {
  private readonly definition: Definition;
  private readonly unit: string;
  private readonly playerTypes: readonly string[];
  private readonly spawn: unknown;

  /**
   * `data` is the data object of the document. `unit` is the key of the unit type that players control; by default, it
   * is found in the scripts.
   */
  constructor(
    { definition }: LoadedGame,
    private readonly data: JsonObject,
    unit?: string,
  ) {
    this.definition = definition;
    const { unitTypes, playerTypes } = definition;
    const model = modelOf(definition);
    const created = model
      .uses('unit')
      .filter(
        ({ role, key = '', isOff }) => role === 'creates' && !isOff && (unit ?? key) === key && unitTypes.has(key),
      );
    const first = created.find(({ place }) => model.provided(place)?.has('player')) ?? created[0];
    const found = unit ?? first?.key ?? '';
    if (!unitTypes.has(found))
      throw misfit(
        `${unit === undefined ? 'No script creates a unit for players.' : 'The game does not have the unit type of --unit.'} Give the key of the unit type that players control with --unit.`,
      );
    this.unit = found;
    const action = first && model.action(first.place, first);
    const place = action && creationsBy(action).find(({ kind }) => kind === 'unit')?.place?.json;
    // A script of a recipe may run without trigger data, so it cannot use a position that is computed from trigger
    // data.
    const isKnown = place !== undefined && !/"(getTriggering|this|selected)/.test(JSON.stringify(place));
    this.spawn = isKnown ? place : this.placeAt([0.5, 0.5]);
    const given = scriptsOf(definition).scripts.flatMap(({ actions }) =>
      [...everyNode(actions)].flatMap((node) => (node.kind === 'action' ? typesGivenBy(node, 'player') : [])),
    );
    const ofPeople = given.filter(({ of }) => readOf(of, 'entities')?.kind !== 'computer');
    const named = new Set(ofPeople.flatMap(({ type }) => literalText(type) ?? []));
    this.playerTypes = [...playerTypes.keys()].filter((key) => named.size === 0 || named.has(key));
    if (this.playerTypes.length === 0)
      throw misfit('The recipe needs a player type, but the game has none for human players.');
  }

  /** The value of a placeholder. Any other string is returned unchanged. */
  answer(text: string): unknown {
    return text === '{spawn}' ? this.spawn : (this.keys(text)?.[0] ?? text);
  }

  /**
   * The keys that a placeholder stands for; a member with this placeholder as its key is repeated for each of them.
   * Undefined if `key` is not a placeholder.
   */
  keys(key: string): readonly string[] | undefined {
    if (key === '{unit}') return [this.unit];
    if (key === '{player}') return this.playerTypes;
    return key === '{body}' ? [...this.definition.unitTypes.get(this.unit)!.bodies.keys()] : undefined;
  }

  /** The members of the player type that serves as a model for a new one. */
  get likeness(): JsonObject {
    return (this.data['playerTypes'] as Readonly<Record<string, JsonObject>>)[this.playerTypes[0]!]!;
  }

  /**
   * The centre, in px, of the tile without a wall that is nearest to a position. `x` and `y` of the position are
   * fractions of the map's width and height.
   */
  placeAt([x, y]: readonly [number, number]): { readonly x: number; readonly y: number } {
    const { map, cellSize } = this.definition;
    const { solid, columns, rows } = wallCellsOf(map);
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (const [cell, isSolid] of solid.entries()) {
      const distance = Math.hypot((cell % columns) + 0.5 - x * columns, Math.floor(cell / columns) + 0.5 - y * rows);
      if (isSolid !== 0 || distance >= least) continue;
      best = cell;
      least = distance;
    }
    return {
      x: ((best % Math.max(1, columns)) + 0.5) * cellSize.width,
      y: (Math.floor(best / Math.max(1, columns)) + 0.5) * cellSize.height,
    };
  }
}

function misfit(message: string): Failure {
  return new Failure('does-not-fit', message);
}
