import { defined, isRecord, mapMembers } from '../../../../engine/core/index.ts';
import { type Effect, type OpRow, vocabulary } from '../../../../engine/tools.ts';
import { entriesOf, type Json, type JsonObject } from './json.ts';
import { audienceOf } from './sent-members.ts';

/**
 * Finds scripts that only move a player's unit or change its speed, and that use only what the player's client knows.
 * These are scripts of keys and abilities, such as dashes and sprints, and scripts of the unit that run in every tick,
 * as in games that steer by turning. Clients receive and predict these scripts. All others stay on the server.
 */

/** The aspects of its own unit that a client knows. Scripts that read nothing else of the world can be predicted. */
const known = new Set('self position angle velocity direction owner pointer'.split(' '));
/**
 * References to the own unit and its player that are valid only in the script of a key: members of the trigger, and the
 * unit that last cast an ability.
 */
const knownOfKey = new Set(['unit', 'player', 'castingUnit']);
/** The aspects of an entity that an action may change in order to move it. */
const motions = new Set(['position', 'velocity', 'angle']);

/** The value of an operand, under its current key or an older one; undefined if there is none. */
function operandIn(json: JsonObject, { params }: OpRow, key: string): Json | undefined {
  return json[[key, ...(params[key]?.aliases ?? [])].find((each) => json[each] !== undefined) ?? key];
}

/** The parts of a definition's data that decide which scripts only move a unit. */
export interface MovingData {
  readonly scripts?: Json | undefined;
  readonly abilities?: Json | undefined;
  /**
   * The values of number variables that no script sets. They replace the variables in the scripts that clients receive.
   */
  readonly constants?: ReadonlyMap<string, number> | undefined;
}

/**
 * The parts of a unit type that clients need for prediction: the bindings of keys to scripts that only move the unit,
 * directly or through abilities; these abilities; and these scripts by key.
 */
export function movingScripts(type: JsonObject, { scripts, abilities, constants = new Map() }: MovingData) {
  const { controls } = type;
  const sent = sentNames(type['variables']);
  const used = new Map<string, JsonObject>();
  const steering = new Set<string>();
  const everyTick = new Reader({ ofKey: false, constants, readable: sent, writable: sent });
  for (const [name, script] of entriesOf(type['scripts'])) {
    if (!runsEveryTick(script)) continue;
    const moving = everyTick.script(script);
    if (moving === undefined) continue;
    used.set(name, { ...moving, triggers: [{ type: frameTick }] });
    for (const variable of everyTick.variables) steering.add(variable);
  }
  // Scripts of keys may set only those variables that are read by the scripts which move the unit.
  const ofKeys = new Reader({ ofKey: true, constants, readable: sent, writable: steering });
  const sentToOwner = sentAttributes(type['attributes']);
  const paid = new Set<string>();
  /** Whether the client receives every attribute that a cast costs, so that it knows whether the unit can pay. */
  const isPayable = ({ cost }: JsonObject) => {
    const { unitAttributes, playerAttributes }: JsonObject = isRecord(cost) ? cost : {};
    const names = isRecord(unitAttributes) ? Object.keys(unitAttributes) : [];
    if (entryCount(playerAttributes) > 0 || !names.every((name) => sentToOwner.has(name))) return false;
    for (const name of names) paid.add(name);
    return true;
  };
  const use = (name: Json | undefined) => {
    if (typeof name !== 'string' || name === '') return false;
    const script = memberOf(type['scripts'], name) ?? memberOf(scripts, name);
    const moving = isRecord(script) && !runsEveryTick(script) ? ofKeys.script(script) : undefined;
    // The triggers are removed, so that nothing but the key starts the script.
    if (moving !== undefined) used.set(name, { ...moving, triggers: [] });
    return moving !== undefined;
  };
  const unitAbilities = new Map<string, JsonObject>();
  for (const [id, ability] of entriesOf(isRecord(controls) ? controls['unitAbilities'] : undefined)) {
    const { cost, cooldown, castDuration, eventScripts } = ability;
    if (!isRecord(eventScripts) || !isPayable(ability) || !use(eventScripts['startCasting'])) continue;
    const stopCasting = use(eventScripts['stopCasting']) ? eventScripts['stopCasting']! : '';
    const events = { startCasting: eventScripts['startCasting']!, stopCasting };
    unitAbilities.set(id, {
      ...defined({ cost, cooldown, castDuration }),
      eventScripts: events,
    });
  }
  const bindings: [string, JsonObject][] = [];
  for (const [key, binding] of entriesOf(isRecord(controls) ? controls['abilities'] : undefined)) {
    const kept: [string, Json][] = [];
    for (const side of ['keyDown', 'keyUp']) {
      const cast = typeof binding[side] === 'string' ? memberOf(abilities, binding[side]) : binding[side];
      if (!isRecord(cast)) continue;
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
    /** The attributes that these abilities cost. */
    paid,
  };
}

/** The number variables that no script sets, with their values. */
export function constantsOf(data: JsonObject): ReadonlyMap<string, number> {
  const named = new Set<string>();
  let isComputed = false;
  const scan = (value: Json) => {
    if (typeof value === 'string') named.add(value);
    else if (Array.isArray(value)) value.forEach(scan);
    else if (isRecord(value)) {
      const call = rowOf(value);
      const row = call ?? vocabulary.actions.get(String(value['type']));
      const names = Object.entries(row?.params ?? {}).flatMap(([key, { refersTo, aliases }]) =>
        refersTo === 'variable' ? [key, ...aliases] : [],
      );
      for (const [key, member] of Object.entries(value)) {
        isComputed ||= isRecord(member) && names.includes(key);
        // A variable that is only read may be a constant, so a name that is only read does not count as a use.
        if (call === undefined || typeof member !== 'string' || !names.includes(key)) scan(member);
      }
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

function runsEveryTick({ triggers }: JsonObject) {
  return (
    Array.isArray(triggers) &&
    triggers.length > 0 &&
    triggers.every((each) => isRecord(each) && each['type'] === frameTick)
  );
}

/** The names of the variables of a type that frames contain. */
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
  /** Whether a key starts the script. */
  readonly ofKey: boolean;
  readonly constants: ReadonlyMap<string, number>;
  /** The variables of the unit that may be read, and those that may be set. */
  readonly readable: ReadonlySet<string>;
  readonly writable: ReadonlySet<string>;
}

/** Reads scripts, and accepts only those that do nothing but move the unit. */
class Reader {
  /** The variables that the last accepted script reads or sets. */
  readonly variables = new Set<string>();

  constructor(private readonly options: ReaderOptions) {}

  /** The script with its constants as numbers; undefined if it does anything but move the unit. */
  script({ actions, conditions, disabled }: JsonObject): JsonObject | undefined {
    this.variables.clear();
    if (disabled === true || !Array.isArray(actions)) return undefined;
    const isMoving = this.isKnown(conditions) && actions.every((each) => this.isMove(each));
    return isMoving ? { conditions: this.folded(conditions ?? null), actions: this.folded(actions) } : undefined;
  }

  private isMove(action: Json): boolean {
    if (!isRecord(action)) return false;
    if (action['disabled'] === true) return true;
    const { type, ...operands } = action;
    const row = vocabulary.actions.get(String(type));
    return (
      row !== undefined && row.effects.length > 0 && row.effects.every((effect) => this.isMotion(effect, operands, row))
    );
  }

  /** Whether an effect moves the own unit, sets its speed or a variable of it, or runs only such actions. */
  private isMotion(effect: Effect, operands: JsonObject, row: OpRow) {
    if (effect.does === 'runs') {
      const { block, when } = effect;
      const blocks = row.effects.flatMap((each) => (each.does === 'runs' ? each.block : []));
      const others = Object.entries(operands).flatMap(([key, value]) => (blocks.includes(key) ? [] : [value]));
      return when === 'now' && this.areMoves(operandIn(operands, row, block)) && this.isKnown(others);
    }
    if (effect.does !== 'changes' || effect.of === undefined) return false;
    const of = operandIn(operands, row, effect.of);
    const { key, aspect, to } = effect;
    if (motions.has(aspect)) return isRecord(of) && this.isKnown(Object.values(operands));
    const name = key === undefined ? undefined : operandIn(operands, row, key);
    if (aspect === 'attribute' || aspect === 'buffs')
      return name === 'speed' && this.isOwn(of) && this.isKnown(Object.values(operands));
    if (aspect !== 'variable' || to === undefined) return false;
    return this.isVariable(of, name, this.options.writable) && this.isKnown(operandIn(operands, row, to));
  }

  private areMoves(actions: Json | undefined) {
    return actions === undefined || (Array.isArray(actions) && actions.every((each) => this.isMove(each)));
  }

  private isKnown(value: Json | undefined): boolean {
    if (Array.isArray(value)) return value.every((each) => this.isKnown(each));
    if (!isRecord(value)) return true;
    const { function: name, ...operands } = value;
    const row = rowOf(value);
    if (name !== undefined && row === undefined) return false;
    for (const read of row?.reads ?? []) {
      const of = read.of === undefined ? undefined : operandIn(operands, row!, read.of);
      const key = read.key === undefined ? undefined : operandIn(operands, row!, read.key);
      if (read.aspect === 'variable') {
        if (read.of === undefined) return typeof key === 'string' && this.options.constants.has(key);
        return this.isVariable(of, key, this.options.readable);
      }
      if (read.aspect === 'attribute') return key === 'speed' && this.isOwn(of);
      // The owner of a unit is its player, which is known; that of a projectile is another unit.
      if (read.aspect === 'owner' && row!.returns !== 'player') return false;
      const isOfKey = this.options.ofKey && (read.aspect === 'payload' || read.aspect === 'last');
      if (isOfKey ? !knownOfKey.has(read.kind ?? '') : !known.has(read.aspect)) return false;
    }
    return Object.values(operands).every((each) => this.isKnown(each));
  }

  /** Whether a value is a call that returns the own unit. */
  private isOwn(entity: Json | undefined) {
    const [read] = (isRecord(entity) && rowOf(entity)?.reads) || [];
    if (read?.aspect === 'self') return true;
    return this.options.ofKey && (read?.kind === 'castingUnit' || (read?.aspect === 'payload' && read.kind === 'unit'));
  }

  private isVariable(entity: Json | undefined, variable: Json | undefined, names: ReadonlySet<string>) {
    const descriptor = isRecord(variable) && rowOf(variable) !== undefined ? variable['variable'] : undefined;
    const key = isRecord(descriptor) ? descriptor['key'] : undefined;
    if (typeof key !== 'string' || !names.has(key) || !this.isOwn(entity)) return false;
    this.variables.add(key);
    return true;
  }

  private folded(value: Json): Json {
    if (Array.isArray(value)) return value.map((each) => this.folded(each));
    if (!isRecord(value)) return value;
    const row = rowOf(value);
    const read = row?.reads.find(({ aspect, of }) => aspect === 'variable' && of === undefined);
    if (read?.key !== undefined) return this.options.constants.get(String(operandIn(value, row!, read.key)))!;
    return mapMembers(value, (member) => this.folded(member));
  }
}

function rowOf(call: JsonObject): OpRow | undefined {
  return vocabulary.values.get(String(call['function']));
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function entryCount(value: Json | undefined) {
  return isRecord(value) ? Object.keys(value).length : 0;
}
