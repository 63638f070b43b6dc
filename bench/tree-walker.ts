import { attributeValue, updateAttribute } from '../engine/rules/entities/attribute.ts';
import { readGlobal, readVariable, writeGlobal, writeVariable } from '../engine/rules/entities/variable.ts';
import type { Game } from '../engine/rules/game.ts';
import { type EntityRef, Kind } from '../engine/world/entity.ts';
import type { Json } from './nested-script.ts';

/**
 * The simplest interpreter of the same language, like those of the original engines: it walks the JSON again for every
 * action and looks up each operation by name. It uses the same world and rules, so that only the interpretation
 * differs.
 */
export class TreeWalker {
  private readonly game: Game;
  private selectedUnit: EntityRef | undefined;
  /** The number of actions run. */
  actions = 0;

  constructor(game: Game) {
    this.game = game;
  }

  run(actions: readonly Json[]): void {
    for (const action of actions) {
      this.actions++;
      try {
        this.act(action);
      } catch (error) {
        this.game.world.fault('exception', String(error));
      }
    }
  }

  private act(action: Json): void {
    const { world } = this.game;
    switch (action['type']) {
      case 'forAllUnits':
        for (const unit of this.value(action['unitGroup']) as EntityRef[]) {
          this.selectedUnit = unit;
          this.run(action['actions'] as Json[]);
        }
        return;
      case 'condition':
        this.run((this.holds(action['conditions']) ? action['then'] : action['else']) as Json[]);
        return;
      case 'setVariable':
        writeGlobal(world, action['variableName'] as string, this.value(action['value']));
        return;
      case 'increaseVariableByNumber': {
        const name = action['variable'] as string;
        writeGlobal(world, name, (readGlobal(world, name) as number) + (this.value(action['number']) as number));
        return;
      }
      case 'setEntityAttribute': {
        const unit = this.value(action['entity']) as EntityRef;
        updateAttribute(
          this.game,
          unit.entity,
          this.value(action['attribute']) as string,
          this.value(action['value']) as number,
        );
        return;
      }
      case 'setEntityVariable': {
        const unit = this.value(action['entity']) as EntityRef;
        const { key } = this.value(action['variable']) as { key: string };
        writeVariable(world, unit.entity, key, this.value(action['value']));
        return;
      }
      default:
        throw new Error(`unknown action ${String(action['type'])}`);
    }
  }

  private value(node: unknown): unknown {
    if (node === null || typeof node !== 'object' || Array.isArray(node)) return node;
    const call = node as Json;
    const { world } = this.game;
    switch (call['function']) {
      case undefined:
        return node;
      case 'getSelectedUnit':
        return this.selectedUnit;
      case 'getVariable':
        return readGlobal(world, call['variableName'] as string);
      case 'getEntityAttribute': {
        const unit = this.value(call['entity']) as EntityRef;
        return attributeValue(world, unit.entity, this.value(call['attribute']) as string);
      }
      case 'getEntityVariable':
        return call['variable'];
      case 'getValueOfEntityVariable': {
        const { key } = this.value(call['variable']) as { key: string };
        return readVariable(world, (this.value(call['entity']) as EntityRef).entity, key);
      }
      case 'calculate':
        return this.reckon(call['items'] as unknown[]);
      case 'allUnits':
        return world.lists[Kind.unit]!.entries.map((unit) => world.ref(unit));
      default:
        throw new Error(`unknown function ${String(call['function'])}`);
    }
  }

  private reckon(node: unknown): number {
    if (!Array.isArray(node)) return this.value(node) as number;
    const a = this.reckon(node[1]);
    const b = this.reckon(node[2]);
    switch ((node[0] as { operator: string }).operator) {
      case '+':
        return a + b;
      case '-':
        return a - b;
      case '*':
        return a * b;
      case '/':
        return a / b;
      default:
        return a % b;
    }
  }

  private holds(node: unknown): boolean {
    const [{ operator }, left, right] = node as [{ operator: string }, unknown, unknown];
    if (operator === 'AND') return this.holds(left) && this.holds(right);
    if (operator === 'OR') return this.holds(left) || this.holds(right);
    const a = this.value(left) as number;
    const b = this.value(right) as number;
    switch (operator) {
      case '==':
        return a === b;
      case '!=':
        return a !== b;
      case '<':
        return a < b;
      case '>':
        return a > b;
      case '<=':
        return a <= b;
      default:
        return a >= b;
    }
  }
}
