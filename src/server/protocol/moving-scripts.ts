import { entriesOf, isObject, type Json, type JsonObject } from './json.ts';

/**
 * Scripts of keys that only move the unit of the player who presses them, by what is known of that unit alone: dashes, jumps, teleports. Clients
 * receive and predict them. Everything else about scripts stays on the server.
 */

/** Actions that move an entity and do nothing else. */
const moves: ReadonlySet<string> = new Set([
  ...['moveEntity', 'applyForceOnEntityAngle', 'applyForceOnEntityAngleLT', 'applyForceOnEntityXY'],
  ...['applyForceOnEntityXYLT', 'applyForceOnEntityXYRelative', 'applyImpulseOnEntityAngle', 'applyImpulseOnEntityXY'],
  ...['setEntityVelocityAtAngle', 'setVelocityOfEntityXY', 'applyTorqueOnEntity', 'rotateUnitClockwise'],
  ...['rotateUnitCounterClockwise', 'rotateEntityToFacePosition', 'rotateEntityToRadians', 'rotateEntityToRadiansLT'],
]);
/** Functions whose value depends on the own unit and the pointer of its player only. No entity but the own unit can be reached by them. */
const known: ReadonlySet<string> = new Set([
  ...['thisEntity', 'getTriggeringUnit', 'getLastCastingUnit', 'getOwner', 'getTriggeringPlayer'],
  ...['getEntityPosition', 'unitsFacingAngle', 'entityFacingAngle', 'getEntityVelocityX', 'getEntityVelocityY'],
  ...['isUnitMoving', 'getMouseCursorPosition', 'xyCoordinate', 'vector3', 'getPositionX', 'getPositionY'],
  ...['getPositionInFrontOfPosition', 'distanceBetweenPositions', 'angleBetweenPositions', 'getLerpPosition'],
  ...['calculate', 'toRadians', 'toDegrees', 'absoluteValueOfNumber', 'squareRoot', 'mathFloor', 'mathCeiling'],
  ...['mathRound', 'mathSign', 'sin', 'cos', 'tan', 'arctan', 'getMin', 'getMax', 'getExponent', 'lerp'],
  'undefinedValue',
]);

/** The bindings of a unit type to such scripts, and the scripts by key. `scripts`: those of the game. */
export function movingKeys(type: JsonObject, scripts: Json | undefined) {
  const { controls } = type;
  const bindings: [string, JsonObject][] = [];
  const used = new Map<string, JsonObject>();
  for (const [key, binding] of entriesOf(isObject(controls) ? controls['abilities'] : undefined)) {
    const kept: [string, Json][] = [];
    for (const side of ['keyDown', 'keyUp']) {
      const cast = binding[side];
      if (!isObject(cast) || !isFree(cast) || typeof cast['scriptName'] !== 'string') continue;
      const name = cast['scriptName'];
      const script = memberOf(type['scripts'], name) ?? memberOf(scripts, name);
      if (!isObject(script) || !onlyMoves(script)) continue;
      kept.push([side, { scriptName: name }]);
      // Nothing but the key runs it.
      used.set(name, { conditions: script['conditions'] ?? null, actions: script['actions']!, triggers: [] });
    }
    if (kept.length > 0) bindings.push([key, Object.fromEntries(kept)]);
  }
  return { bindings: Object.fromEntries(bindings), scripts: Object.fromEntries(used) };
}

/** Whether a cast costs nothing, of which a client might have less than it knows. */
function isFree({ cost, abilityId }: JsonObject): boolean {
  if (abilityId !== undefined) return false;
  const amounts = isObject(cost) ? [cost['unitAttributes'], cost['playerAttributes']] : [];
  return amounts.every((each) => entryCount(each) === 0);
}

function onlyMoves({ actions, conditions, disabled }: JsonObject): boolean {
  return disabled !== true && isKnown(conditions) && Array.isArray(actions) && actions.every(isMove);
}

function isMove(action: Json): boolean {
  if (!isObject(action)) return false;
  const { type, disabled, conditions, ...rest } = action;
  if (disabled === true) return true;
  if (type === 'condition') return isKnown(conditions) && [rest['then'], rest['else']].every(areMoves);
  return moves.has(String(type)) && isObject(rest['entity']) && isKnown(Object.values(rest));
}

function areMoves(actions: Json | undefined): boolean {
  return actions === undefined || (Array.isArray(actions) && actions.every(isMove));
}

function isKnown(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.every(isKnown);
  if (!isObject(value)) return true;
  const name = value['function'];
  return (name === undefined || known.has(String(name))) && Object.values(value).every(isKnown);
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function entryCount(value: Json | undefined): number {
  return isObject(value) ? Object.keys(value).length : 0;
}
