import type { Dictionary } from '../../../engine/core/index.ts';
import {
  type Action,
  type Definition,
  everyNode,
  type LoadedGame,
  literalText,
  type Operand,
} from '../../../engine/index.ts';
import { type Point, scriptsOf, wallCellsOf } from '../../../engine/tools.ts';
import { creationsBy, type GameModel, modelOf, readOf, typesGivenBy } from '../../model/index.ts';
import { exitCodes, Failure } from '../failure.ts';

/** What a recipe needs of the unit types to which it adds something. */
export interface Needs {
  readonly attributes: readonly string[];
  /** The number of inventory slots that default items leave free. */
  readonly slots: number;
}

/** Keys to choose from if the game uses the key of a recipe for something else. */
const spareKeys = ['f', 'g', 'h', 'j', 'k', 'l', 'b', 'n'];

/** Free space in a row: for a unit, and for another one 160 px to the right of it. */
const roomPixels = [-36, 0, 36, 72, 108, 144, 180, 196];

/** Determines the values of a recipe's placeholders for a game, with the help of the game's model. */
export class Fit {
  private readonly definition: Definition;
  private readonly model: GameModel;
  /** The keys of the unit types to which the recipe adds something; scripts of the recipe create the first of them. */
  readonly units: readonly string[];
  private readonly playerTypes: readonly string[];
  private readonly spawn: unknown;

  /**
   * `data` is the data object of the document. `units` are the keys of the unit types that players control; by default,
   * these are the types for which scripts create units for players and which have most of what the recipe needs.
   */
  constructor(
    { definition }: LoadedGame,
    private readonly data: Dictionary,
    units: readonly string[] | undefined,
    { attributes: needed, slots }: Needs,
  ) {
    this.definition = definition;
    this.model = modelOf(definition);
    const { unitTypes, playerTypes } = definition;
    if (units?.every((key) => unitTypes.has(key)) === false)
      throw misfit('The game does not have the unit type of --unit. Give the key of a unit type that players control.');
    const actions = scriptsOf(definition).scripts.flatMap((script) =>
      [...everyNode(script.actions)].filter((node): node is Action => node.kind === 'action' && node.isOn),
    );
    const created = actions.flatMap(creationsBy).flatMap(({ kind, type, owner, place }) => {
      const key = kind === 'unit' && type !== undefined ? (literalText(type) ?? '') : '';
      return unitTypes.has(key) && (units?.includes(key) ?? mayBePerson(owner))
        ? { key, of: owner, place: place?.json }
        : [];
    });
    const certain = new Set(created.flatMap(({ key, of }) => (isPerson(of) ? key : [])));
    const lacks = (key: string) => {
      const { attributes, controls, ai } = unitTypes.get(key)!;
      const isSteered = controls?.movementControlScheme !== undefined || (controls?.abilities.size ?? 0) > 0;
      return (
        needed.filter((each) => !attributes.has(each)).length +
        (this.freeSlots(key) < slots ? 10 : 0) +
        (certain.has(key) ? 0 : 100) +
        (isSteered && ai?.enabled !== true ? 0 : 1000)
      );
    };
    const found = [...new Set(created.map(({ key }) => key))];
    const least = Math.min(...found.map(lacks));
    this.units = units ?? found.filter((key) => lacks(key) === least);
    if (this.units.length === 0)
      throw misfit(
        'No script creates a unit for players. Give the key of the unit type that players control with --unit.',
      );
    // A script of a recipe may run without trigger data, so it cannot use a position that is computed from trigger
    // data.
    const place = created.find(({ key }) => key === this.units[0])?.place;
    const isKnown = place !== undefined && !/"(getTriggering|this|selected)/.test(JSON.stringify(place));
    this.spawn = isKnown ? place : this.placeAt([0.5, 0.5]);
    const given = actions.flatMap((action) => typesGivenBy(action, 'player')).filter(({ of }) => mayBePerson(of));
    const named = given
      .sort((one, other) => Number(isPerson(other.of)) - Number(isPerson(one.of)))
      .flatMap(({ type }) => literalText(type) ?? []);
    this.playerTypes = [...new Set(named.length > 0 ? named : playerTypes.keys())].filter((key) =>
      playerTypes.has(key),
    );
    if (this.playerTypes.length === 0)
      throw misfit('The recipe needs a player type, but the game has none for human players.');
  }

  freeSlots(unit: string): number {
    const { inventorySize = 0, backpackSize = 0, defaultItems = [] } = this.ofSection('unitTypes', unit);
    return Number(inventorySize) + Number(backpackSize) - Object.keys(defaultItems as object).length;
  }

  /** The value of a placeholder. Any other string is returned unchanged. */
  answer(text: string, unit?: string): unknown {
    return text === '{spawn}' ? this.spawn : (this.keys(text, unit)?.[0] ?? text);
  }

  /**
   * The keys that a placeholder stands for; a member with this placeholder as its key is repeated for each of them.
   * Undefined if `key` is not a placeholder. `unit`: the unit type whose members contain the placeholder.
   */
  keys(key: string, unit?: string): readonly string[] | undefined {
    if (key === '{unit}') return unit === undefined ? this.units : [unit];
    if (key === '{player}') return this.playerTypes;
    if (key === '{body}') {
      // An entry in `bodies` would replace a body that an old game declares as `body`.
      const { bodies = {} } = this.ofSection('unitTypes', unit!);
      return [...this.definition.unitTypes.get(unit!)!.bodies].flatMap(([body, { fixtures }]) =>
        fixtures.length > 0 && Object.hasOwn(bodies as object, body) ? body : [],
      );
    }
    if (key === '{enemy}') return [this.enemy];
    const [, input] = /^\{key (\w+)\}$/.exec(key) ?? [];
    return input === undefined ? undefined : [[input, ...spareKeys].find((each) => this.mayUse(each)) ?? input];
  }

  /** The members of the player type that serves as a model for a new one. */
  get likeness(): Dictionary {
    const { relationships, ...members } = this.ofSection('playerTypes', this.playerTypes[0]!);
    const known = Object.entries((relationships ?? {}) as Dictionary).filter(([key]) =>
      this.definition.playerTypes.has(key),
    );
    return { ...members, relationships: Object.fromEntries(known) };
  }

  /** A player type to which the first one is hostile, or becomes so by the recipe. */
  private get enemy() {
    const { relationships = {} } = this.ofSection('playerTypes', this.playerTypes[0]!) as {
      relationships?: Dictionary;
    };
    const all = [...this.playerTypes, ...Object.keys(relationships)];
    return all.find((key) => (relationships[key] ?? 'hostile') === 'hostile') ?? this.playerTypes[0]!;
  }

  private ofSection(section: string, key: string) {
    return (this.data[section] as Dictionary<Dictionary>)[key]!;
  }

  /** Whether no unit of a player uses a key, or only to use the held item. */
  private mayUse(key: string) {
    return this.units.every((unit) => {
      const { controls, legacyAbilities } = this.definition.unitTypes.get(unit)!;
      const { keyDown, keyUp } = controls?.abilities.get(key) ?? legacyAbilities.get(key) ?? {};
      if (keyDown === undefined) return keyUp === undefined;
      const script = keyDown.kind === 'script' ? (keyDown.scriptName ?? '') : '';
      const place = this.model.called(`unitTypes/${unit}/scripts/`, script);
      return (
        place !== undefined && this.model.usesIn(place).some(({ kind, role }) => kind === 'use' && role === 'changes')
      );
    });
  }

  /** The name of a script that already handles units for which an attribute is zero; undefined if there is none. */
  endedBy(attribute: string): string | undefined {
    return scriptsOf(this.definition).scripts.find(({ place, owner, source: { triggers } }) => {
      if (owner.kind !== 'game' && !this.units.some((unit) => place.startsWith(`unitTypes/${unit}/`))) return false;
      if (!triggers.some((each) => /^(unit|entity)AttributeBecomesZero$/.test(each))) return false;
      const named = this.model.names(place).filter(({ kind }) => kind === 'attribute');
      const isAbout = named.length === 0 || named.some(({ key }) => key === attribute);
      return (
        isAbout &&
        this.model
          .usesIn(place)
          .some(({ role, key }) => role === 'destroys' || (role === 'changes' && key === attribute))
      );
    })?.name;
  }

  /**
   * The centre, in px, of the tile nearest to a position with free space around it and to the right of it; if there is
   * no such space, of the nearest tile without a wall. `x` and `y` of the position are fractions of the map's width and
   * height.
   */
  placeAt([x, y]: readonly [number, number]): Point {
    const { map, cellSize } = this.definition;
    const { solid, columns, rows } = wallCellsOf(map);
    const centre = (cell: number) => ({
      x: ((cell % columns) + 0.5) * cellSize.width,
      y: (Math.floor(cell / columns) + 0.5) * cellSize.height,
    });
    const isOpen = (left: number, top: number) => {
      const [column, row] = [Math.floor(left / cellSize.width), Math.floor(top / cellSize.height)];
      return column >= 0 && column < columns && solid[row * columns + column] === 0;
    };
    const distance = (cell: number) =>
      Math.hypot((cell % columns) + 0.5 - x * columns, Math.floor(cell / columns) + 0.5 - y * rows);
    const free = [...solid.keys()].filter((cell) => solid[cell] === 0).sort((a, b) => distance(a) - distance(b));
    const roomy = free.find((cell) => {
      const at = centre(cell);
      return roomPixels.every((right) => [-36, 0, 36].every((down) => isOpen(at.x + right, at.y + down)));
    });
    return columns === 0 ? { x: 0, y: 0 } : centre(roomy ?? free[0] ?? 0);
  }
}

/** Whether an operand is the player of a trigger or of a loop. A player in a variable may be a computer player. */
function isPerson(player: Operand | undefined) {
  return player !== undefined && (readOf(player, 'payload') ?? readOf(player, 'element')) !== undefined;
}

function mayBePerson(player: Operand | undefined) {
  return player !== undefined && player.kind !== 'nothing' && readOf(player, 'entities')?.kind !== 'computer';
}

export function misfit(message: string, details: readonly string[] = []): Failure {
  return new Failure('does-not-fit', message, exitCodes.usage, details);
}

export function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && Object.keys(value as object).length === 0;
}
