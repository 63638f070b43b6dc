import type { Action, Call, Operand } from '../../engine/index.ts';
import { type AttributeDefinition, regeneration, type UnitType } from '../../engine/tools.ts';
import { changesOf, creationsBy, nameIn, readOf, typesGivenBy } from '../model/index.ts';
import { type AttributeChange, attributeChangesOf, concerns } from './attributes.ts';
import { isSteered } from './controls.ts';
import type { GameFacts } from './facts.ts';
import { listIn } from './nodes.ts';

/** Why units of a type do not move: as the end of a sentence, and as the data of an issue. */
interface Still {
  readonly why: string;
  /** The pointer of the value that has to change; undefined if the type lacks that value. */
  readonly at?: string;
  readonly expected: string;
  readonly found: string | number;
}

/** Facts about the human players, as far as they follow from scripts and types. */
export interface PlayFacts {
  /** Whether any unit type has key bindings. A game without them can only be watched. */
  readonly isSteered: boolean;
  /** Whether scripts give units, and player types, to players other than computer players. */
  readonly givesUnits: boolean;
  readonly givesTypes: boolean;
  /** Whether cameras follow units. */
  readonly isTracked: boolean;
  /** Why units of a type never move by themselves; undefined if they may. */
  whyStill(type: UnitType): Still | undefined;
  /** The global variables that scripts set. */
  readonly setVariables: ReadonlySet<string | undefined>;
  /** The types of the units that a human player can get as the first one, from scripts or shops. */
  readonly played: readonly UnitType[];
  /** Whether a human player can get a unit of a type; true if that is not certain. */
  mayGet(type: string): boolean;
}

/** Types of bodies that neither players nor AI move. */
const unmoved = new Set(['static', 'spriteOnly']);

interface Variable {
  readonly of: 'game' | 'player';
  readonly key: string;
}

export function playFactsOf({ definition, actions: all, changes, once }: GameFacts): PlayFacts {
  const { unitTypes, variables, playerTypes, playerTypeVariables } = definition;
  const setVariables = new Set(changes('variable').map(({ key }) => key));
  /** The operands that scripts assign to game and player variables, by variable name. */
  const assigned = { game: new Map<string, Operand[]>(), player: new Map<string, Operand[]>() };
  const playedTypes: Operand[] = [];
  /** The operands that give the types of the units that human players can get; undefined stands for any type. */
  const got: (Operand | undefined)[] = [];
  let givesUnits = false;
  for (const node of all) {
    const operand = (key: string | undefined): Operand[] => (key === undefined ? [] : [node.operand(key)]);
    const units = creationsBy(node).filter(({ kind }) => kind === undefined || kind === 'unit');
    const owners = [
      ...units.flatMap(({ owner }) => owner ?? []),
      ...changesOf(node, 'owner').flatMap(({ to }) => operand(to)),
      ...changesOf(node, 'selectedUnit').flatMap(({ of }) => operand(of)),
    ];
    const isOfPeople = (owner: Operand | undefined) => owner?.kind !== 'nothing' && !isComputer(owner!);
    givesUnits ||= owners.some(isOfPeople);
    for (const { type, owner } of units) if (owner !== undefined && isOfPeople(owner)) got.push(type);
    for (const { type } of typesGivenBy(node, 'unit')) got.push(type);
    if (changesOf(node, 'owner').some(({ to }) => operand(to).some(isOfPeople))) got.push(undefined);
    for (const { of, key, to } of changesOf(node, 'variable')) {
      const isAssigned = key !== undefined && to !== undefined && (of === undefined || isOfPlayer(node, of));
      const name = isAssigned ? nameIn(node.operand(key)) : undefined;
      if (name !== undefined) listIn(assigned[of === undefined ? 'game' : 'player'], name).push(node.operand(to!));
    }
    for (const { type, owner } of units.filter(({ isOfAnyKind }) => !isOfAnyKind)) {
      if (type !== undefined && owner !== undefined && isAnyPlayer(owner)) playedTypes.push(type);
    }
  }
  const gotKeys = got.map((type) => (type === undefined ? [] : keysOf(type)));
  const isAnyGot = gotKeys.some((keys) => keys.length === 0);
  const sold = [...definition.shops.values()].flatMap((shop) => [...shop.unitTypes.keys()]);
  const gotTypes = new Set([...gotKeys.flat(), ...sold]);
  return {
    isSteered: [...unitTypes.values()].some(isSteered),
    givesUnits,
    givesTypes: all.some((node) => typesGivenBy(node, 'player').some(({ of }) => !isComputer(of))),
    isTracked: changes('camera').some(({ isGiven }) => isGiven),
    whyStill,
    setVariables,
    mayGet: (type) => isAnyGot || gotTypes.has(type),
    played: [...new Set([...playedTypes.flatMap(keysOf), ...sold])].flatMap((key) => unitTypes.get(key) ?? []),
  };

  function whyStill(type: UnitType): Still | undefined {
    const { attributes, baseSpeed, states, bodies } = type;
    const speed = attributes.get('speed');
    // `baseSpeed` counts only for units without the attribute `speed`.
    if (speed === undefined && (baseSpeed ?? 0) === 0)
      return { why: 'it has no attribute `speed`', expected: 'an attribute `speed`', found: 'none' };
    const rises = (change: AttributeChange) =>
      change.rises && !change.isFactor && change.rule !== regeneration.name && concerns(change, 'speed', type);
    if (
      speed !== undefined &&
      topSpeedOf(speed) <= 0 &&
      speed.regenerateSpeed <= 0 &&
      !once(attributeChangesOf).some(rises)
    )
      return {
        why: 'its `speed` stays at 0',
        at: `${speed.pointer}/value`,
        expected: '`speed`: more than 0',
        found: speed.value ?? 'nothing',
      };
    const used = [...states.values()].slice(0, changes('state').length > 0 ? undefined : 1);
    const all = used.map(({ body }) => bodies.get(body ?? ''));
    const [first] = all;
    if (first === undefined || all.some((body) => !unmoved.has(body?.type ?? ''))) return undefined;
    return {
      why: `its body is ${first.type === 'static' ? 'static' : 'only a sprite'}`,
      at: `${first.pointer}/type`,
      expected: 'dynamic or kinematic',
      found: first.type,
    };
  }

  /** Whether an operand can only be a computer player. */
  function isComputer(player: Operand) {
    if (player.kind === 'literal') return isComputerName(player.json);
    if (player.kind !== 'call') return false;
    if (readOf(player, 'entities')?.kind === 'computer') return true;
    const read = readBy(player);
    if (read?.of !== 'game' || setVariables.has(read.key)) return false;
    return isComputerName(variables.get(read.key)?.default);
  }

  /**
   * The keys of unit types that an operand can evaluate to. Follows variables and groups; any other computation adds no
   * key.
   */
  function keysOf(root: Operand): string[] {
    const keys: string[] = [];
    const followed = new Set<readonly Operand[]>();
    const waiting: Operand[] = [root];
    const take = (value: unknown) => {
      if (typeof value === 'string') keys.push(value);
      // A group of types is an object with a member per type key.
      else if (typeof value === 'object' && value !== null) keys.push(...Object.keys(value));
    };
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (node.kind === 'literal' || node.kind === 'data') take(node.json);
      else if (node.kind === 'call' && choosesType(node)) waiting.push(...node.operands);
      const variable = readBy(node);
      if (variable === undefined) continue;
      const { of, key } = variable;
      const operands = listIn(assigned[of], key);
      if (followed.has(operands)) continue;
      followed.add(operands);
      waiting.push(...operands);
      const ofPlayers = [playerTypeVariables, ...[...playerTypes.values()].map((type) => type.variables)];
      for (const declared of of === 'game' ? [variables] : ofPlayers) take(declared.get(key)?.default);
    }
    return keys;
  }
}

/** Whether an operand is the triggering player, or the player of a loop. */
function isAnyPlayer(owner: Operand) {
  return [readOf(owner, 'payload'), readOf(owner, 'element')].some((read) => read?.kind === 'player');
}

function isComputerName(value: unknown) {
  return typeof value === 'string' && value.startsWith('computer');
}

export function isOfPlayer(node: Action | Call, parameter: string): boolean {
  return node.rule?.params[parameter]?.name === 'player';
}

/** Whether a function only chooses one of the unit types that its operands name. */
function choosesType({ rule }: Call) {
  return (
    rule?.returns === 'unit type' && rule.reads.every(({ aspect }) => aspect === 'chance' || aspect === 'variable')
  );
}

/** The global variable or player variable that an operand reads; undefined if it reads neither. */
export function readBy(node: Operand): Variable | undefined {
  const { of, key } = readOf(node, 'variable') ?? {};
  if (node.kind !== 'call' || key === undefined) return undefined;
  const name = nameIn(node.operand(key));
  if (name === undefined || (of !== undefined && node.rule!.params[key]!.refersTo !== 'playerVariable'))
    return undefined;
  return { of: of === undefined ? 'game' : 'player', key: name };
}

/** The greatest speed to which an attribute can be set without moving its bounds. */
export function topSpeedOf({ value, max }: AttributeDefinition): number {
  return Math.min(value ?? 0, max ?? Infinity);
}

/**
 * The player types that scripts assign. Undefined if one of them is computed, or if no script assigns any, which
 * another rule reports.
 */
export function assignedPlayerTypes({ changes }: GameFacts): ReadonlySet<unknown> | undefined {
  const keys = new Set(changes('type').flatMap(({ of, value }) => (of === 'player' ? [value] : [])));
  return keys.size === 0 || keys.has(undefined) ? undefined : keys;
}
