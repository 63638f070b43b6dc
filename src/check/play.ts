import type { Issues } from '../../engine/core/issue.ts';
import { suggest } from '../../engine/core/suggest.ts';
import type { Action, Call, Definition, Operand, ScriptNode } from '../../engine/index.ts';
import {
  type AttributeDefinition,
  attributesChangedBy,
  changesOf,
  creationsBy,
  type KeyBinding,
  nameIn,
  pixelsPerMetre,
  readOf,
  toPoint,
  typesGivenBy,
  type UnitType,
  variablesWrittenBy,
  wallCellsOf,
} from '../../engine/internal.ts';
import type { WalkedScript } from './walk.ts';

/**
 * Reports what makes a game unplayable: no setup at game start, no unit for new players, a unit that cannot move, `thisEntity` in a global script.
 */
export function checkPlay(definition: Definition, scripts: readonly WalkedScript[], issues: Issues): void {
  new PlayCheck(definition, issues).check(scripts);
}

/** Units that cross the map more often than this in a second are faster than anybody can steer. */
const crossingsMax = 4;

/** Types of bodies that steering does not move. */
const unmoved: ReadonlySet<string> = new Set(['static', 'spriteOnly']);

const steeringKeys: readonly string[] = ['w', 'a', 's', 'd', 'up', 'down', 'left', 'right'];

class PlayCheck {
  private readonly definition: Definition;
  private readonly issues: Issues;
  /** The operands that scripts assign to game and player variables, by variable name. */
  private readonly assigned = { game: new Map<string, Operand[]>(), player: new Map<string, Operand[]>() };
  /** The operands for the type of units that scripts create for the triggering player, who can be a person. */
  private readonly playedTypes: Operand[] = [];
  private givesUnits = false;
  private givesTypes = false;
  /** Whether cameras follow units. */
  private isTracked = false;
  /** Whether a script can change the attribute `speed` or the state of a unit. */
  private changesSpeed = false;
  private changesStates = false;
  /** The global variables that scripts set. */
  private readonly setVariables = new Set<string>();

  constructor(definition: Definition, issues: Issues) {
    this.definition = definition;
    this.issues = issues;
  }

  check(scripts: readonly WalkedScript[]): void {
    for (const { actions } of scripts) {
      for (const node of actions) {
        for (const name of variablesWrittenBy(node)) if (name !== undefined) this.setVariables.add(name);
        if (changesOf(node, 'state').length > 0) this.changesStates = true;
        for (const { name } of attributesChangedBy(node))
          if (name === undefined || name === 'speed') this.changesSpeed = true;
      }
    }
    for (const { script, actions, calls } of scripts) {
      for (const node of actions) this.action(node);
      if (script.owner.kind !== 'game') continue;
      for (const node of calls) {
        if (readOf(node, 'self') === undefined) continue;
        const details = { expected: 'a script of a unit, item or projectile type', found: 'a global script' };
        const message = `thisEntity is undefined in "${script.name}", because a global script does not run for an entity.`;
        this.issues.add('no-this-entity', node.pointer, message, details);
      }
    }
    const { unitTypes, pointer } = this.definition;
    for (const key of new Set(this.playedTypes.flatMap((operand) => this.keysOf(operand)))) {
      const type = unitTypes.get(key);
      if (type !== undefined) this.movement(type);
    }
    // A game without key bindings is only watched.
    if (![...unitTypes.values()].some(isSteered)) return;
    if (scripts.length > 0) this.start(scripts.map(({ script }) => script));
    if (!this.givesTypes && this.definition.playerTypes.size > 0 && this.givesUnits) {
      const message =
        'No script assigns a player type to people who join: they have no attributes and no relationships.';
      const details = { expected: 'assignPlayerType for the player of `playerJoinsGame`', found: 'nothing' };
      this.issues.add('no-player-type', `${pointer}/scripts`, message, details);
    }
    if (this.givesUnits) return;
    const details = { expected: 'createUnitAtPosition for the player of `playerJoinsGame`', found: 'nothing' };
    const message = 'No script gives a unit to a player: players who join can only watch.';
    this.issues.add('nobody-gets-a-unit', `${pointer}/scripts`, message, details);
  }

  /** Reports a missing `gameStart` script. A game without variables whose scripts all react to players has nothing to set up. */
  private start(scripts: readonly ScriptNode[]): void {
    const { variables, pointer } = this.definition;
    const triggers = scripts.flatMap(({ owner, source }) => (owner.kind === 'game' ? source.triggers : []));
    if (triggers.some(isGameStart)) return;
    if (variables.size === 0 && triggers.every(isOfPlayers)) return;
    const details = { expected: 'a script with the trigger `gameStart`', found: 'none' };
    const message = 'No global script has the trigger `gameStart`, so nothing is set up before the first player joins.';
    this.issues.add('no-game-start', `${pointer}/scripts`, message, details);
  }

  private action(node: Action): void {
    const operand = (key: string | undefined): Operand[] => (key === undefined ? [] : [node.operand(key)]);
    const units = creationsBy(node).filter(({ kind }) => kind === undefined || kind === 'unit');
    const owners = [
      ...units.flatMap(({ owner }) => owner ?? []),
      ...changesOf(node, 'owner').flatMap(({ to }) => operand(to)),
      ...changesOf(node, 'selectedUnit').flatMap(({ of }) => operand(of)),
    ];
    if (owners.some((owner) => owner.kind !== 'nothing' && !this.isComputer(owner))) this.givesUnits = true;
    if (changesOf(node, 'camera').some(({ to }) => to !== undefined)) this.isTracked = true;
    if (typesGivenBy(node, 'player').some(({ of }) => !this.isComputer(of))) this.givesTypes = true;
    for (const { of, key, to } of changesOf(node, 'variable')) {
      const isAssigned = key !== undefined && to !== undefined && (of === undefined || isOfPlayer(node, of));
      const name = isAssigned ? nameIn(node.operand(key)) : undefined;
      if (name !== undefined)
        this.assignedTo({ of: of === undefined ? 'game' : 'player', key: name }).push(node.operand(to!));
    }
    // Those of any kind are often scenery, which may stand outside the map and in walls.
    for (const { type, place, owner } of units.filter(({ isOfAnyKind }) => !isOfAnyKind)) {
      if (place !== undefined) {
        this.startPlace(place);
        this.startInWall(place);
      }
      if (type !== undefined && owner !== undefined && readOf(owner, 'payload')?.kind === 'player')
        this.playedTypes.push(type);
    }
  }

  /** Whether a player can only be one that the computer controls. */
  private isComputer(player: Operand): boolean {
    if (player.kind === 'literal') return isComputerName(player.json);
    if (player.kind !== 'call') return false;
    if (readOf(player, 'entities')?.kind === 'computer') return true;
    const read = readBy(player);
    if (read?.of !== 'game' || this.setVariables.has(read.key)) return false;
    return isComputerName(this.definition.variables.get(read.key)?.default);
  }

  /** Reports a literal start position outside the map. Only start positions: games later move entities off the map on purpose, to hide them. */
  private startPlace(position: Operand): void {
    const { map, cellSize } = this.definition;
    const point = position.kind === 'data' ? toPoint(position.json) : undefined;
    if (point === undefined || map === undefined || map.width === 0 || map.height === 0) return;
    const [width, height] = [map.width * cellSize.width, map.height * cellSize.height];
    const { x, y } = point;
    if (!(x < 0 || y < 0 || x > width || y > height)) return;
    const details = { expected: `0, 0 to ${width}, ${height}`, found: `${x}, ${y}` };
    this.issues.add('outside-map', position.pointer, 'The unit is created outside the map.', details);
  }

  /** Reports a start position in a wall: a literal one, that of a variable, or a random one in a region that is all wall. */
  private startInWall(position: Operand): void {
    const { map, cellSize, variables } = this.definition;
    const { solid, columns, rows } = wallCellsOf(map);
    const isSolid = (x: number, y: number): boolean => {
      const [column, row] = [Math.floor(x / cellSize.width), Math.floor(y / cellSize.height)];
      return column >= 0 && row >= 0 && column < columns && row < rows && solid[row * columns + column] === 1;
    };
    const region = regionOfPosition(position);
    const inRegion = region !== undefined;
    const read = readBy(region ?? position);
    const place: unknown =
      read === undefined ? position.json : variables.get(read.of === 'game' ? read.key : '')?.default;
    // A variable that scripts set has other values, too.
    if (read !== undefined && this.setVariables.has(read.key)) return;
    const point = toPoint(place);
    if (point === undefined) return;
    const { width = 0, height = 0 } = (inRegion ? place : {}) as { width?: number; height?: number };
    for (let x = point.x; x <= point.x + width; x += cellSize.width)
      for (let y = point.y; y <= point.y + height; y += cellSize.height) if (!isSolid(x, y)) return;
    if (!isSolid(point.x + width, point.y + height)) return;
    const message = `The unit is created inside a wall: the tile at ${point.x}, ${point.y} is solid.`;
    const details = { expected: 'a tile without a wall', found: `${point.x}, ${point.y}` };
    this.issues.add('inside-wall', position.pointer, message, details);
  }

  private assignedTo({ of, key }: Variable): Operand[] {
    let operands = this.assigned[of].get(key);
    if (operands === undefined) {
      operands = [];
      this.assigned[of].set(key, operands);
    }
    return operands;
  }

  /** The unit type keys that an operand can evaluate to, followed through variables and groups. Other computations are not followed and yield none. */
  private keysOf(root: Operand): string[] {
    const keys: string[] = [];
    const followed = new Set<readonly Operand[]>();
    const waiting: Operand[] = [root];
    const take = (value: unknown): void => {
      if (typeof value === 'string') keys.push(value);
      // A group of types is an object with a member per type key.
      else if (typeof value === 'object' && value !== null) keys.push(...Object.keys(value));
    };
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
      if (node.kind === 'literal' || node.kind === 'data') take(node.json);
      else if (node.kind === 'call' && choosesType(node)) waiting.push(...node.operands);
      const variable = readBy(node);
      if (variable === undefined) continue;
      const assigned = this.assignedTo(variable);
      if (followed.has(assigned)) continue;
      followed.add(assigned);
      waiting.push(...assigned);
      for (const initial of this.initialValues(variable)) take(initial);
    }
    return keys;
  }

  private initialValues({ of, key }: Variable): readonly unknown[] {
    const { variables, playerTypes, playerTypeVariables } = this.definition;
    const ofPlayers = [playerTypeVariables, ...[...playerTypes.values()].map((type) => type.variables)];
    return (of === 'game' ? [variables] : ofPlayers).map((declared) => declared.get(key)?.default);
  }

  private movement(type: UnitType): void {
    const { name, controls, attributes, baseSpeed, pointer } = type;
    this.extent(type);
    if (controls === undefined && this.isTracked) {
      const message = `"${name}" has no \`controls\`, so its player cannot move it.`;
      this.issues.add('no-movement', pointer, message, { expected: '`controls`', found: 'nothing' });
    }
    if (controls === undefined || (controls.movementControlScheme === undefined && controls.abilities.size === 0))
      return;
    const { movementControlScheme: scheme, abilities } = controls;
    // A game that binds the movement keys moves its units by scripts.
    if (steeringKeys.some((key) => isBound(abilities.get(key)))) return;
    if (scheme === undefined) {
      const details = { expected: 'wasd, ad, wasdRelativeToUnit or followCursor', found: 'nothing' };
      const message = `"${name}" has key bindings but no movement scheme, so its player cannot move it.`;
      this.issues.add('no-movement', `${pointer}/controls`, message, details);
      return;
    }
    const speed = attributes.get('speed');
    if (speed !== undefined) this.speed(type, speed);
    this.fixedBody(type);
    if (speed !== undefined || (baseSpeed ?? 0) !== 0) return;
    const near = suggest('speed', attributes.keys());
    const details = {
      expected: 'an attribute `speed`',
      ...(near === undefined ? {} : { found: near, suggestion: 'speed' }),
    };
    const message = `"${name}" has a movement scheme (${scheme}) but no attribute \`speed\`, so it cannot move.`;
    this.issues.add('no-movement', pointer, message, details);
  }

  /** Reports a speed of 0 that nothing raises, and one that crosses the whole map in a moment. */
  private speed(
    { name, controls, baseSpeed }: UnitType,
    { value, max, regenerateSpeed, pointer }: AttributeDefinition,
  ): void {
    const most = Math.min(value ?? 0, max ?? Number.POSITIVE_INFINITY);
    const canRise = this.changesSpeed || regenerateSpeed > 0 || this.givesSpeed();
    if (most <= 0 && !canRise && (baseSpeed ?? 0) === 0) {
      const details = { expected: 'more than 0', found: String(value ?? 'nothing') };
      this.issues.add('no-movement', `${pointer}/value`, `"${name}" cannot move: its \`speed\` stays at 0.`, details);
    }
    const { map, cellSize } = this.definition;
    if (controls?.movementMethod !== 'velocity' || map === undefined) return;
    const pixels = most * pixelsPerMetre;
    const across = Math.max(map.width * cellSize.width, map.height * cellSize.height);
    if (across === 0 || pixels < across * crossingsMax) return;
    const message = `\`speed\` is in units of ${pixelsPerMetre} px per second: at ${most}, "${name}" crosses the map ${Math.floor(pixels / across)} times a second.`;
    const suggestion = String(Number((most / pixelsPerMetre).toFixed(1)));
    this.issues.add('wrong-unit', `${pointer}/value`, message, { found: String(most), suggestion });
  }

  /** Whether an item can raise the speed of the unit that carries or uses it. */
  private givesSpeed(): boolean {
    return [...this.definition.itemTypes.values()].some(
      ({ bonus }) => bonus?.passive?.unitAttribute.has('speed') || bonus?.consume?.unitAttribute.has('speed'),
    );
  }

  /** Reports a unit that players steer with a body that cannot move in each of its states. */
  private fixedBody({ name, states, bodies }: UnitType): void {
    const used = this.changesStates ? [...states.values()] : [...states.values()].slice(0, 1);
    const found = used.map(({ body }) => bodies.get(body ?? ''));
    const [first] = found;
    if (first === undefined || found.some((body) => !unmoved.has(body?.type ?? ''))) return;
    const details = { expected: 'dynamic or kinematic', found: first.type };
    const message = `"${name}" cannot move: its body is ${first.type === 'static' ? 'static' : 'only a sprite'}.`;
    this.issues.add('no-movement', `${first.pointer}/type`, message, details);
  }

  /** Reports a body that is larger than the map. */
  private extent({ name, states, bodies }: UnitType): void {
    const { map, cellSize } = this.definition;
    const body = bodies.get((states.get('default') ?? states.values().next().value)?.body ?? '');
    if (map === undefined || body === undefined) return;
    for (const side of ['width', 'height'] as const) {
      const limit = map[side] * cellSize[side];
      if (limit === 0 || body[side] < limit) continue;
      const message = `The body of "${name}" is larger than the map.`;
      const details = { expected: `px, less than ${limit}`, found: String(body[side]) };
      this.issues.add('out-of-range', `${body.pointer}/${side}`, message, details);
      return;
    }
  }
}

export function isSteered({ controls }: UnitType): boolean {
  return controls !== undefined && (controls.movementControlScheme !== undefined || controls.abilities.size > 0);
}

function isComputerName(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('computer');
}

/** Accepts misspellings, too: those are reported as a separate issue. */
function isGameStart(trigger: string): boolean {
  return suggest(trigger, ['gameStart']) !== undefined;
}

function isOfPlayers(trigger: string): boolean {
  return trigger.startsWith('player');
}

function isBound(binding: KeyBinding | undefined): boolean {
  return binding?.keyDown !== undefined || binding?.keyUp !== undefined;
}

interface Variable {
  readonly of: 'game' | 'player';
  readonly key: string;
}

function isOfPlayer(node: Action | Call, parameter: string): boolean {
  return node.rule?.params[parameter]?.name === 'player';
}

/** The region in which a position is that may be in a wall; undefined for other positions. */
function regionOfPosition(position: Operand): Operand | undefined {
  const of = readOf(position, 'tiles') === undefined ? readOf(position, 'position')?.of : undefined;
  if (position.kind !== 'call' || of === undefined || position.rule?.params[of]?.name !== 'region') return undefined;
  return position.rule.returns === 'position' ? position.operand(of) : undefined;
}

/** Whether a function only chooses one of the unit types that its operands name. */
function choosesType({ rule }: Call): boolean {
  return (
    rule?.returns === 'unit type' && rule.reads.every(({ aspect }) => aspect === 'chance' || aspect === 'variable')
  );
}

function readBy(node: Operand): Variable | undefined {
  const { of, key } = readOf(node, 'variable') ?? {};
  if (node.kind !== 'call' || key === undefined) return undefined;
  const name = nameIn(node.operand(key));
  if (name === undefined || (of !== undefined && node.rule!.params[key]!.refersTo !== 'playerVariable'))
    return undefined;
  return { of: of === undefined ? 'game' : 'player', key: name };
}
