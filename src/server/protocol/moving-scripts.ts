import { entriesOf, isObject, type Json, type JsonObject } from './json.ts';
import { audienceOf } from './sent-members.ts';

/**
 * Scripts that only move the unit of the player or change its speed, by what its client knows of it: those of keys and abilities, such as dashes and
 * sprints, and those of the unit that run in every tick, as in games that steer by turning. Clients receive and predict them. Everything else about
 * scripts stays on the server.
 */

/** Actions that move an entity and do nothing else. */
const moves: ReadonlySet<string> = new Set([
  ...['moveEntity', 'applyForceOnEntityAngle', 'applyForceOnEntityAngleLT', 'applyForceOnEntityXY'],
  ...['applyForceOnEntityXYLT', 'applyForceOnEntityXYRelative', 'applyImpulseOnEntityAngle', 'applyImpulseOnEntityXY'],
  ...['setEntityVelocityAtAngle', 'setVelocityOfEntityXY', 'applyTorqueOnEntity', 'rotateUnitClockwise'],
  ...['rotateUnitCounterClockwise', 'rotateEntityToFacePosition', 'rotateEntityToRadians', 'rotateEntityToRadiansLT'],
]);
/** Actions that change an attribute of an entity. That of the own unit's `speed` is a way to move it. */
const attributeChanges: ReadonlySet<string> = new Set([
  ...['setEntityAttribute', 'addAttributeBuffToUnit', 'addPercentageAttributeBuffToUnit'],
]);
/** The unit whose script runs. */
const self = 'thisEntity';
/** The unit of the player who pressed a key, in the script of the key only. */
const ofKey: ReadonlySet<string> = new Set([self, 'getTriggeringUnit', 'getLastCastingUnit']);
/** Functions whose value depends on the own unit and the pointer of its player only. No entity but the own unit can be reached by them. */
const known: ReadonlySet<string> = new Set([
  ...[self, 'getOwner', 'getEntityPosition', 'unitsFacingAngle', 'entityFacingAngle', 'getEntityVelocityX'],
  ...['getEntityVelocityY', 'isUnitMoving', 'getMouseCursorPosition', 'xyCoordinate', 'vector3', 'getPositionX'],
  ...['getPositionY', 'getPositionInFrontOfPosition', 'distanceBetweenPositions', 'angleBetweenPositions'],
  ...['getLerpPosition', 'calculate', 'toRadians', 'toDegrees', 'absoluteValueOfNumber', 'squareRoot', 'mathFloor'],
  ...['mathCeiling', 'mathRound', 'mathSign', 'sin', 'cos', 'tan', 'arctan', 'getMin', 'getMax', 'getExponent', 'lerp'],
  'undefinedValue',
]);
const knownOfKey: ReadonlySet<string> = new Set([...known, ...ofKey, 'getTriggeringPlayer']);

/** What the scripts of a definition can be: the parts of its data that decide. */
export interface MovingData {
  readonly scripts?: Json | undefined;
  readonly abilities?: Json | undefined;
  /** The numbers of global variables that no script sets, which stand in the scripts that clients receive. */
  readonly constants?: ReadonlyMap<string, number> | undefined;
}

/** The bindings of a unit type to such scripts, directly or by abilities; those abilities; and the scripts by key. */
export function movingScripts(type: JsonObject, { scripts, abilities, constants = new Map() }: MovingData) {
  const { controls } = type;
  const sent = sentNames(type['variables']);
  const used = new Map<string, JsonObject>();
  const steering = new Set<string>();
  const everyTick = new Reader({ functions: known, units: new Set([self]), constants, readable: sent, writable: sent });
  for (const [name, script] of entriesOf(type['scripts'])) {
    if (!runsEveryTick(script)) continue;
    const moving = everyTick.script(script);
    if (moving === undefined) continue;
    used.set(name, { ...moving, triggers: [{ type: frameTick }] });
    for (const variable of everyTick.variables) steering.add(variable);
  }
  // Of variables, keys only set those that a script reads which moves the unit.
  const ofKeys = new Reader({
    ...{ functions: knownOfKey, units: ofKey, constants },
    ...{ readable: sent, writable: steering },
  });
  const sentToOwner = sentAttributes(type['attributes']);
  const paid = new Set<string>();
  /** Whether the client knows of all that a cast costs how much there is. */
  const isPayable = ({ cost }: JsonObject): boolean => {
    const { unitAttributes, playerAttributes }: JsonObject = isObject(cost) ? cost : {};
    const names = isObject(unitAttributes) ? Object.keys(unitAttributes) : [];
    if (entryCount(playerAttributes) > 0 || !names.every((name) => sentToOwner.has(name))) return false;
    for (const name of names) paid.add(name);
    return true;
  };
  const use = (name: Json | undefined): boolean => {
    if (typeof name !== 'string' || name === '') return false;
    const script = memberOf(type['scripts'], name) ?? memberOf(scripts, name);
    const moving = isObject(script) && !runsEveryTick(script) ? ofKeys.script(script) : undefined;
    // Nothing but the key runs it.
    if (moving !== undefined) used.set(name, { ...moving, triggers: [] });
    return moving !== undefined;
  };
  const unitAbilities = new Map<string, JsonObject>();
  for (const [id, ability] of entriesOf(isObject(controls) ? controls['unitAbilities'] : undefined)) {
    const { cost, cooldown, castDuration, eventScripts } = ability;
    if (!isObject(eventScripts) || !isPayable(ability) || !use(eventScripts['startCasting'])) continue;
    const stopCasting = use(eventScripts['stopCasting']) ? eventScripts['stopCasting']! : '';
    const events = { startCasting: eventScripts['startCasting']!, stopCasting };
    unitAbilities.set(id, {
      ...(cost === undefined ? {} : { cost }),
      ...(cooldown === undefined ? {} : { cooldown }),
      ...(castDuration === undefined ? {} : { castDuration }),
      eventScripts: events,
    });
  }
  const bindings: [string, JsonObject][] = [];
  for (const [key, binding] of entriesOf(isObject(controls) ? controls['abilities'] : undefined)) {
    const kept: [string, Json][] = [];
    for (const side of ['keyDown', 'keyUp']) {
      const cast = typeof binding[side] === 'string' ? memberOf(abilities, binding[side]) : binding[side];
      if (!isObject(cast)) continue;
      const { event, abilityId, cost = {}, scriptName } = cast;
      if (abilityId !== undefined) {
        if (event !== undefined && unitAbilities.has(String(abilityId))) kept.push([side, { event, abilityId }]);
      } else if (isPayable(cast) && use(scriptName)) kept.push([side, { scriptName: scriptName!, cost }]);
    }
    if (kept.length > 0) bindings.push([key, Object.fromEntries(kept)]);
  }
  return {
    bindings: Object.fromEntries(bindings),
    unitAbilities: Object.fromEntries(unitAbilities),
    scripts: Object.fromEntries(used),
    /** The attributes that they cost. */
    paid,
  };
}

/** The numbers of the global variables that are only ever read by `getVariable`. */
export function constantsOf(data: JsonObject): ReadonlyMap<string, number> {
  const named = new Set<string>();
  let isComputed = false;
  const scan = (value: Json): void => {
    if (typeof value === 'string') named.add(value);
    else if (Array.isArray(value)) value.forEach(scan);
    else if (isObject(value)) {
      isComputed ||= isObject(value['variableName']);
      for (const [key, member] of Object.entries(value))
        if (key !== 'variableName' || value['function'] !== 'getVariable' || typeof member !== 'string') scan(member);
    }
  };
  const { variables, ...others } = data;
  scan(others);
  if (isComputed) return new Map();
  return new Map(
    entriesOf(variables).flatMap(([name, { dataType, default: value }]) =>
      dataType === 'number' && typeof value === 'number' && !named.has(name) ? [[name, value]] : [],
    ),
  );
}

const frameTick = 'frameTick';

function runsEveryTick({ triggers }: JsonObject): boolean {
  return (
    Array.isArray(triggers) &&
    triggers.length > 0 &&
    triggers.every((each) => isObject(each) && each['type'] === frameTick)
  );
}

/** The variables of a type that frames contain. */
function sentNames(variables: Json | undefined): ReadonlySet<string> {
  const sent = entriesOf(variables).filter(([, { streamMode }]) => audienceOf(Number(streamMode)) === 'everybody');
  return new Set(sent.map(([name]) => name));
}

/** The attributes of a unit that its player's client receives. */
function sentAttributes(attributes: Json | undefined): ReadonlySet<string> {
  const sent = entriesOf(attributes).filter(([, { streamMode }]) => audienceOf(Number(streamMode ?? 1)) !== 'nobody');
  return new Set(sent.map(([name]) => name));
}

interface ReaderOptions {
  readonly functions: ReadonlySet<string>;
  /** Functions that give the own unit. */
  readonly units: ReadonlySet<string>;
  readonly constants: ReadonlyMap<string, number>;
  /** Variables of the unit. */
  readonly readable: ReadonlySet<string>;
  readonly writable: ReadonlySet<string>;
}

/** Reads scripts, as far as they only move the unit. */
class Reader {
  /** The variables that the last script reads or sets. */
  readonly variables = new Set<string>();
  private readonly options: ReaderOptions;

  constructor(options: ReaderOptions) {
    this.options = options;
  }

  /** The script with its constants as numbers; undefined if it does anything but move the unit. */
  script({ actions, conditions, disabled }: JsonObject): JsonObject | undefined {
    this.variables.clear();
    if (disabled === true || !Array.isArray(actions)) return undefined;
    const isMoving = this.isKnown(conditions) && actions.every((each) => this.isMove(each));
    return isMoving ? { conditions: this.folded(conditions ?? null), actions: this.folded(actions) } : undefined;
  }

  private isMove(action: Json): boolean {
    if (!isObject(action)) return false;
    const { type, disabled, conditions, ...rest } = action;
    if (disabled === true) return true;
    if (type === 'condition')
      return this.isKnown(conditions) && [rest['then'], rest['else']].every((each) => this.areMoves(each));
    if (type === 'setEntityVariable')
      return this.isVariable(rest, this.options.writable) && this.isKnown(rest['value']);
    if (attributeChanges.has(String(type)))
      return rest['attribute'] === 'speed' && this.isOwn(rest['entity']) && this.isKnown(Object.values(rest));
    return moves.has(String(type)) && isObject(rest['entity']) && this.isKnown(Object.values(rest));
  }

  private areMoves(actions: Json | undefined): boolean {
    return actions === undefined || (Array.isArray(actions) && actions.every((each) => this.isMove(each)));
  }

  private isKnown(value: Json | undefined): boolean {
    if (Array.isArray(value)) return value.every((each) => this.isKnown(each));
    if (!isObject(value)) return true;
    const name = value['function'];
    switch (name) {
      case 'getVariable':
        return this.options.constants.has(String(value['variableName']));
      case 'getEntityAttribute':
        return value['attribute'] === 'speed' && this.isOwn(value['entity']);
      case 'getValueOfEntityVariable':
        return this.isVariable(value, this.options.readable);
    }
    const isFit = name === undefined || this.options.functions.has(String(name));
    return isFit && Object.values(value).every((each) => this.isKnown(each));
  }

  private isOwn(entity: Json | undefined): boolean {
    return isObject(entity) && this.options.units.has(String(entity['function']));
  }

  private isVariable({ entity, variable }: JsonObject, names: ReadonlySet<string>): boolean {
    const descriptor =
      isObject(variable) && variable['function'] === 'getEntityVariable' ? variable['variable'] : undefined;
    const key = isObject(descriptor) ? descriptor['key'] : undefined;
    if (typeof key !== 'string' || !names.has(key) || !this.isOwn(entity)) return false;
    this.variables.add(key);
    return true;
  }

  private folded(value: Json): Json {
    if (Array.isArray(value)) return value.map((each) => this.folded(each));
    if (!isObject(value)) return value;
    if (value['function'] === 'getVariable') return this.options.constants.get(String(value['variableName']))!;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.folded(member)]));
  }
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function entryCount(value: Json | undefined): number {
  return isObject(value) ? Object.keys(value).length : 0;
}
