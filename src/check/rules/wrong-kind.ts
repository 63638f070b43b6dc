import { type Action, type Call, literalText, type Operand } from '../../../engine/index.ts';
import { typesByKind } from '../../../engine/tools.ts';
import { type BasicType, basicTypeOf, creationsBy, loopOf, variableReadBy } from '../../model/index.ts';
import { basicTypeNames, computable } from '../basic-types.ts';
import type { Rule } from '../rule.ts';

const entities: readonly BasicType[] = ['unit', 'item', 'projectile'];

/**
 * For each kind of operand, by name: the basic types of values that it can use. Kinds that convert any value are
 * absent.
 */
const accepted: ReadonlyMap<string, readonly BasicType[]> = new Map<string, readonly BasicType[]>([
  ...(['unit', 'item', 'projectile', 'player', 'region'] as const).map((name): [string, BasicType[]] => [name, [name]]),
  ['unit, item or projectile', entities],
  ['movable entity', entities],
  ['entity', [...entities, 'region']],
  ['entity or player', [...entities, 'region', 'player']],
  ['position', ['position', 'region']],
  ...['number', 'quantity', 'angle'].map((name): [string, BasicType[]] => [name, [...computable]]),
  ['group', ['list', 'text']],
  ...['unit type', 'item type', 'projectile type', 'player type', 'attribute', 'state', 'shop', 'dialogue'].map(
    (name): [string, BasicType[]] => [name, ['text', 'number']],
  ),
]);

const groups = new Set(['units', 'items', 'projectiles', 'players']);

export const wrongKind: Rule = {
  about: 'An operand has a type that the operation cannot use, such as a player where a unit is expected.',
  because:
    'The operation does nothing. Pass a value of the right type, such as the owner of a unit, the position of an entity or the id of a player.',
  wrong: `{ "scripts": { "s": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "destroyEntity", "entity": { "function": "getTriggeringPlayer" } }] } } }`,
  right: `{ "scripts": { "s": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "kickPlayer", "entity": { "function": "getTriggeringPlayer" } }] } } }`,
  visit({ definition, types, changes, report }) {
    return {
      action(node) {
        operands(node);
        for (const { kind, type, isOfAnyKind } of creationsBy(node))
          if (isOfAnyKind && type !== undefined && kind !== undefined) section(type, kind);
        const { selects, group } = loopOf(node) ?? {};
        if (group === undefined || !groups.has(`${selects}s`)) return;
        const found = types.typeOf(group);
        if (found === undefined || found === `${selects}s` || !groups.has(found)) return;
        report(group, `${node.operation} needs ${selects}s but loops over ${found}.`, `${selects}s`, found);
      },
      call: operands,
      calculation({ sides, operator }) {
        for (const side of sides)
          misfit(side, [...computable], 'number', (what) => `\`${operator}\` cannot use ${what}.`);
      },
    };

    /** Reports the key of a type that is in another section than the one in which the action looks for it. */
    function section(type: Operand, kind: string) {
      const found = literalText(type) ?? '';
      const all = Object.entries(typesByKind(definition)).filter(([, types]) => types.has(found));
      if (found === '' || all.some(([each]) => each === kind)) return;
      const [other] = all[0] ?? [];
      const message = `There is no ${kind} type "${found}"${other === undefined ? '' : `; it is the key of a type of ${other}s`}.`;
      report(type, message, `a key of ${kind}Types`, found);
    }

    function operands(node: Action | Call) {
      let index = 0;
      const { params } = node.rule ?? {};
      for (const key in params) {
        const { name } = params[key]!;
        const at = node.operands[index++]!;
        misfit(at, accepted.get(name), name, (what) => `${node.operation} cannot use ${what} as \`${key}\`.`);
      }
    }

    function misfit(
      operand: Operand,
      kinds: readonly BasicType[] | undefined,
      expected: string,
      message: (what: string) => string,
    ) {
      if (operand.kind !== 'call' || kinds === undefined) return;
      const found = types.typeOf(operand);
      const type = basicTypeOf(found);
      // A region variable holds an entity, which has no coordinates of its own.
      const name = type === 'region' && expected === 'position' ? variableReadBy(operand) : undefined;
      const isRegion = name !== undefined && changes('variable', name).length === 0;
      if (type === undefined || (kinds.includes(type) && !isRegion)) return;
      const isKey = type === 'text' && found!.endsWith(' type');
      report(operand, message(isKey ? 'the key of a type' : basicTypeNames[type]), expected, found);
    }
  },
};
