import type { RandomStream } from '../../../engine/core/random.ts';
import { type CatalogueOperation, catalogue, triggerTypes } from '../../../engine/index.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/**
 * Random scripts with all operations of the language: operands mostly have the expected kind, sometimes another, and
 * sometimes are missing.
 */

const { actions, functions } = catalogue();
/** They end or change the whole play, after which there is little to compare. */
const avoided = new Set(['endGame', 'kickPlayer', 'banPlayer']);
const usable = actions.filter(({ type }) => !avoided.has(type));
const forms = usable.filter(({ family }) => family === 'control-flow');
const operators = ['==', '!=', '<', '>', '<=', '>='];
const operandTypes = ['number', 'string', 'boolean', 'entity', 'unit', 'object', ''];

/** A plural word for what a function returns means a list. */
const lists = new Set(functions.map(({ returns }) => returns ?? '').filter((returns) => returns.endsWith('s')));
const kinds: Readonly<Record<string, readonly string[]>> = {
  group: [...lists],
  entity: ['unit', 'item', 'projectile', 'entity', 'region'],
  'unit, item or projectile': ['unit', 'item', 'projectile'],
  'movable entity': ['unit', 'item', 'projectile'],
  'entity or player': ['unit', 'item', 'player'],
  quantity: ['number'],
  angle: ['number'],
  vector: ['position'],
  text: ['string'],
  any: ['number', 'string', 'unit', 'player', 'boolean', 'object', 'position'],
};

export class RandomScripts {
  private readonly random: RandomStream;
  /** Keys of types and other declarations, by the section that declares them. */
  private readonly names: Readonly<Record<string, readonly string[]>>;

  constructor(data: JsonObject, random: RandomStream, scripts: readonly string[]) {
    this.random = random;
    const keysOf = (section: string): string[] => Object.keys((data[section] as JsonObject | undefined) ?? {});
    this.names = {
      'unit type': keysOf('unitTypes'),
      'item type': keysOf('itemTypes'),
      'player type': keysOf('playerTypes'),
      'projectile type': keysOf('projectileTypes'),
      'variable name': keysOf('variables'),
      attribute: ['health', 'speed', 'stamina', ...keysOf('attributeTypes')],
      script: scripts,
      shop: keysOf('shops'),
    };
  }

  /** A script of some actions, started by a frequent trigger or by a random one. */
  script(): Json {
    const { random } = this;
    const often = ['frameTick', 'secondTick', 'entityCreated', 'unitTouchesUnit', 'playerJoinsGame', 'gameStart'];
    const trigger = random.chance(0.8) ? random.pick(often)! : random.pick(triggerTypes)!;
    return {
      name: 'random',
      triggers: [{ type: trigger }],
      conditions: random.chance(0.3) ? this.condition(0) : [{ operator: '==', operandType: 'boolean' }, true, true],
      actions: this.list(0),
    };
  }

  private list(depth: number): Json[] {
    const length = this.random.integer(depth === 0 ? 3 : 0, depth === 0 ? 10 : 3);
    return Array.from({ length }, () => this.action(depth));
  }

  private action(depth: number): Json {
    const { random } = this;
    // A fifth of all actions are forms, fewer of them at depth, so that scripts end.
    const among = depth < 3 && random.chance(0.35) ? forms : usable;
    const chosen = random.pick(among)!;
    const made = this.operation('type', chosen, depth);
    if (chosen.type === 'repeat') made['count'] = random.integer(0, 4);
    if (random.chance(0.02)) made['disabled'] = true;
    return made;
  }

  private operation(word: 'type' | 'function', { type, params }: CatalogueOperation, depth: number): JsonObject {
    const made: JsonObject = { [word]: type };
    for (const { key, type: kind, optional } of params) {
      if (optional && kind !== 'actions' && this.random.chance(0.3)) continue;
      if (this.random.chance(0.02)) continue;
      made[key] = this.operand(kind, depth + 1);
    }
    return made;
  }

  private operand(kind: string, depth: number): Json {
    const { random } = this;
    if (kind === 'actions') return depth > 4 ? [] : this.list(depth);
    if (kind === 'condition') return this.condition(depth);
    if (kind === 'calculation') return this.calculation(depth);
    if (random.chance(0.04)) return this.strange();
    const names = this.names[kind];
    if (names !== undefined && names.length > 0 && random.chance(0.85)) return random.pick(names)!;
    if (kind === 'entity variable' || kind === 'player variable')
      return {
        function: 'getEntityVariable',
        variable: { key: random.pick(this.names['variable name'] ?? []) ?? 'x' },
      };
    const wanted = random.pick(kinds[kind] ?? [kind])!;
    if ((wanted === 'number' || kind === 'raw') && random.chance(depth > 3 ? 1 : 0.5)) return random.integer(-3, 12);
    if (wanted === 'string' && random.chance(depth > 3 ? 1 : 0.5)) return random.pick(['', 'a', 'ab,c', '7', '[1,2]'])!;
    if (wanted === 'boolean' && random.chance(depth > 3 ? 1 : 0.5)) return random.chance(0.5);
    if (wanted === 'position' && random.chance(0.3)) return { x: random.integer(0, 900), y: random.integer(0, 900) };
    const giving = functions.filter(({ returns }) => returns === wanted);
    if (giving.length === 0) return random.integer(0, 3);
    if (depth > 6) return this.operation('function', giving[0]!, 9);
    if (depth > 9) return 1;
    return this.operation('function', random.pick(giving)!, depth);
  }

  private condition(depth: number): Json {
    const { random } = this;
    if (random.chance(0.03)) return random.pick<Json>([[], null, 'true', [{ operator: 'and' }, 1, 1]])!;
    if (depth < 5 && random.chance(0.3)) {
      const operator = random.chance(0.5) ? 'AND' : 'OR';
      return [{ operator, operandType: 'and' }, this.condition(depth + 1), this.condition(depth + 1)];
    }
    const operandType = random.pick(operandTypes)!;
    const kind = operandType === '' || operandType === 'object' ? 'any' : operandType;
    const head = { operator: random.pick(operators)!, operandType };
    return [head, this.operand(kind, depth + 2), this.operand(random.chance(0.8) ? kind : 'any', depth + 2)];
  }

  private calculation(depth: number): Json {
    const { random } = this;
    const side = (): Json => {
      if (depth < 5 && random.chance(0.3)) return this.calculation(depth + 2);
      return random.chance(0.06) ? this.strange() : this.operand('number', depth + 2);
    };
    const operator = random.pick(['+', '-', '*', '/', '%', '%', '^'])!;
    return [random.chance(0.8) ? { operator } : operator, side(), side()];
  }

  /** Values that have the wrong kind, or almost the right one. */
  private strange(): Json {
    const some: readonly Json[] = [
      null,
      '',
      '3px',
      '12',
      true,
      false,
      [],
      [1, [2]],
      {},
      { x: '1', y: 2 },
      'nobody',
      0.5,
    ];
    return this.random.pick([...some, { function: 'noSuchFunction' }, { function: 'undefinedValue' }])!;
  }
}
