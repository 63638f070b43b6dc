import { type Definition, type OutputKind, outputKinds, type TriggerType } from '../../engine/index.ts';
import { type CompiledScript, isKey, keysNear, type Program, triggersOf } from '../../engine/tools.ts';
import { closestHint } from '../text/index.ts';

const typeKinds = ['unit', 'item', 'projectile', 'player'] as const;
export type TypeKind = (typeof typeKinds)[number];

/** A name that does not exist in this game. */
export class UnknownName extends Error {}

/** The properties of entities besides attributes and variables. */
export const properties = {
  id: 'the id, such as `u1`',
  name: 'the name of a unit, item or player',
  type: 'its type',
  state: 'its state',
  x: 'centre, px',
  y: 'centre, px',
  angle: 'the direction in radians, clockwise from up',
  owner: 'the player of a unit, the carrier of an item, the shooter of a projectile',
  unit: 'the selected unit of a player',
  holding: 'the item in the hand of a unit',
  quantity: 'of an item',
  hidden: 'whether the entity is hidden',
  moving: 'whether a unit is moving',
  coins: 'of a player',
  message: 'the last message of a player',
} as const;
export type Property = keyof typeof properties;

interface Named {
  readonly key: string;
  readonly name: string;
}

interface Typed extends Named {
  readonly attributes: ReadonlyMap<string, { readonly name?: string | undefined }>;
  readonly variables: ReadonlyMap<string, unknown>;
  /** The states of the type; absent for player types, which have none. */
  readonly states?: ReadonlyMap<string, Named>;
}

/**
 * The names and keys in a game. Every lookup accepts a name or a key, and throws `UnknownName` if the game has neither.
 */
export class Lexicon {
  private readonly attributeKeys = new Map<string, ReadonlySet<string>>();
  private readonly variableNames = new Set<string>();

  constructor(
    readonly definition: Definition,
    readonly program: Program,
  ) {
    for (const kind of typeKinds) {
      for (const type of this.types(kind).values()) {
        for (const [key, { name }] of type.attributes) {
          this.addAttribute(key, key);
          if (name !== undefined) this.addAttribute(name, key);
        }
        for (const name of type.variables.keys()) this.variableNames.add(name);
      }
    }
    for (const group of [definition.entityTypeVariables, definition.playerTypeVariables]) {
      for (const name of group.keys()) this.variableNames.add(name);
    }
  }

  /** The key of the type with this key or name. */
  type(kind: TypeKind, word: string): string {
    return keyOf([...this.types(kind).values()], word, `${kind} type`, 'The game');
  }

  /** The keys of all types, of any kind, that have this key or name. */
  typesNamed(word: string): ReadonlySet<string> {
    const all = typeKinds.flatMap((kind) => [...this.types(kind).values()]);
    return new Set(all.filter(({ key, name }) => key === word || name === word).map(({ key }) => key));
  }

  /** The key of the dialogue with this key or name. */
  dialogue(word: string): string {
    return keyOf([...this.definition.dialogues.values()], word, 'dialogue', 'The game');
  }

  /** The key of the option with this key or name, in the dialogue with the key `dialogue`. */
  dialogueOption(dialogue: string, word: string): string {
    const { options, name } = this.definition.dialogues.get(dialogue)!;
    return keyOf(options, word, 'option', `The dialogue "${name}"`);
  }

  /**
   * The key of the state with this key or name, in the type with the key `type`. If several states have the name, the
   * first one.
   */
  stateOf(kind: TypeKind, type: string, word: string): string {
    const states = [...(this.types(kind).get(type)?.states?.values() ?? [])];
    const found = states.find(({ key }) => key === word) ?? states.find(({ name }) => name === word);
    if (found !== undefined) return found.key;
    const words = states.flatMap(({ key, name }) => [key, name]);
    throw unknown(`The ${kind} type "${this.typeName(kind, type)}" has no state "${word}".`, word, words);
  }

  /**
   * Throws `UnknownName` unless some type has this key or name (for `type`), or some state of any type has (for
   * `state`).
   */
  requireTypeOrState(property: 'type' | 'state', word: string) {
    const types = typeKinds.flatMap((kind): readonly Typed[] => [...this.types(kind).values()]);
    const all =
      property === 'type' ? types : types.flatMap(({ states }): readonly Named[] => [...(states?.values() ?? [])]);
    if (all.some(({ key, name }) => key === word || name === word)) return;
    const words = all.flatMap(({ key, name }) => [key, name]);
    throw unknown(`The game has no ${property} "${word}".`, word, words);
  }

  /** The display name of a type; its key if it has none. */
  typeName(kind: TypeKind, key: string): string {
    const name = this.types(kind).get(key)?.name;
    return name === undefined || name === '' ? key : name;
  }

  isGlobal(name: string): boolean {
    return this.definition.variables.has(name);
  }

  global(name: string): string {
    if (this.isGlobal(name)) return name;
    throw unknown(`The game has no variable "${name}".`, name, this.definition.variables.keys());
  }

  region(word: string): string {
    if (this.definition.variables.get(word)?.dataType === 'region') return word;
    const regions = [...this.definition.variables].filter(([, { dataType }]) => dataType === 'region');
    throw unknown(
      `The game has no region "${word}".`,
      word,
      regions.map(([name]) => name),
    );
  }

  /** The keys of all attributes with this key or name, in any type. */
  attribute(word: string): ReadonlySet<string> {
    return this.attributeKeys.get(word) ?? none;
  }

  isVariable(word: string): boolean {
    return this.variableNames.has(word);
  }

  /** Throws `UnknownName` if no entity of this game can have this member. */
  requireMember(word: string) {
    if (this.attribute(word).size > 0 || this.isVariable(word) || Object.hasOwn(properties, word)) return;
    throw unknown(`No entity or player of the game has an attribute or variable "${word}".`, word, this.members());
  }

  /** All members that entities or players of this game can have. */
  members(): readonly string[] {
    return [...this.attributeKeys.keys(), ...this.variableNames, ...Object.keys(properties)];
  }

  trigger(word: string): TriggerType {
    const { types, index } = triggersOf(this.definition);
    const type = types[index(word)];
    if (type !== undefined) return type;
    throw unknown(`No trigger is called "${word}".`, word, types);
  }

  output(word: string): OutputKind {
    const kind = outputKinds.find((each) => each === word);
    if (kind !== undefined) return kind;
    throw unknown(`No kind of output is called "${word}".`, word, outputKinds);
  }

  /**
   * Returns the name of a key of the keyboard or mouse, including any that the game binds. Throws `UnknownName` for any
   * other word.
   */
  key(word: string): string {
    if (isKey(this.definition, word)) return word;
    throw unknown(`No key is called "${word}".`, word, keysNear(this.definition, word));
  }

  /** All scripts with this key, name or source location: several scripts of a game may share a name. */
  scripts(word: string): readonly CompiledScript[] {
    const { scripts } = this.program;
    for (const by of ['place', 'key', 'name'] as const) {
      const found = scripts.filter((script) => script[by] === word);
      if (found.length > 0) return found;
    }
    throw unknown(
      `The game has no script "${word}".`,
      word,
      scripts.flatMap(({ key, name }) => [key, name]),
    );
  }

  private types(kind: TypeKind) {
    const { unitTypes, itemTypes, projectileTypes, playerTypes } = this.definition;
    const table: ReadonlyMap<string, Typed> = {
      unit: unitTypes,
      item: itemTypes,
      projectile: projectileTypes,
      player: playerTypes,
    }[kind];
    return table;
  }

  /** A key comes before attributes that have the word as their name only. */
  private addAttribute(word: string, key: string) {
    const keys = this.attribute(word);
    this.attributeKeys.set(word, new Set(word === key ? [key, ...keys] : [...keys, key]));
  }
}

const none: ReadonlySet<string> = new Set();

/** The key of the entry with this key or name. `what` and `where` describe the entry in error messages. */
function keyOf(all: readonly Named[], word: string, what: string, where: string) {
  if (all.some(({ key }) => key === word)) return word;
  const found = all.filter(({ name }) => name === word);
  if (found.length === 1) return found[0]!.key;
  if (found.length > 1) {
    const keys = found.map(({ key }) => key).join(', ');
    throw new UnknownName(`${found.length} ${what}s are called "${word}"; use an id instead: ${keys}.`);
  }
  const words = all.flatMap(({ key, name }) => [key, name]);
  throw unknown(`${where} has no ${what} "${word}".`, word, words);
}

export function unknown(message: string, word: string, words: Iterable<string>): UnknownName {
  return new UnknownName(message + closestHint(word, words));
}
