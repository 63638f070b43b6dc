import { cached } from '../../engine/core/index.ts';
import { type Action, type Call, everyNode, type Node } from '../../engine/index.ts';
import { descriptorKeyNode, type Program } from '../../engine/tools.ts';
import { changesOf, creationsBy, nameIn } from '../model/index.ts';
import { actionText, operandText } from '../run/index.ts';
import { shortened } from '../text/index.ts';
import type { Repair } from './repairs.ts';
import type { WaySearch } from './ways.ts';

/** What a question asks for: the key of an attribute or of a type. */
export interface Named {
  readonly aspect: 'attribute' | 'type' | 'unit' | 'item' | 'projectile';
  readonly key: string;
}

/**
 * Small changes of actions that ran: actions that are switched off; another attribute or type in those that change or
 * create one of the same kind; another entity in those that change the value in question; and their order. `writers`:
 * the actions that can change the value; `last`: the location of the one that did so last, or `any` if nothing certain
 * is expected of the value, so that only actions that are switched off are meant.
 */
export function* slipsIn(
  program: Program,
  search: WaySearch,
  writers: readonly Action[],
  named: Named | undefined,
  last: number | undefined | 'any',
): Generator<readonly Repair[]> {
  const ran = (action: Action) => search.ran(action, -1).count > 0;
  const scripts = program.scripts.filter((script) => search.runsOf(script, -1).count > 0);
  yield scripts.flatMap(({ node }) => [...everyNode(node.actions)].flatMap(switchedOn));
  if (last === 'any') return;
  const isReached = writers.some(({ script }) => scripts.some(({ node }) => node === script));
  const actions = (program.locations as readonly Action[]).filter(ran);
  if (named !== undefined && !isReached) yield actions.flatMap((action) => otherNames(action, named));
  const known = entitiesIn(program);
  const vain = writers.filter((action) => ran(action) && action.location !== last);
  // Functions that the action calls elsewhere come first.
  for (const action of vain)
    for (const call of entityCallsIn(action))
      for (const other of new Set([
        ...entityCallsIn(action).flatMap(({ operation, rule }) =>
          rule!.returns === call.rule!.returns ? operation : [],
        ),
        ...(known.get(call.rule!.returns!) ?? []),
      ]))
        if (other !== call.operation)
          yield [
            repair(action, call, { function: other }, `${other}() instead of ${shortened(operandText(call), 60)}`),
          ];
  for (const action of vain) {
    const { json } = action.parent!;
    const key = Number(action.key);
    for (const at of [key - 1, key]) {
      const list = [...(json as unknown[])];
      const [one, next] = list.splice(at, 2);
      if (at < 0 || next === undefined) continue;
      list.splice(at, 0, next, one);
      yield [
        repair(
          action,
          action.parent as Node,
          list,
          at === key ? 'the next action first' : 'the action before it afterwards',
        ),
      ];
    }
  }
}

function switchedOn(action: Node): Repair[] {
  if (action.kind !== 'action' || action.json['disabled'] !== true) return [];
  const text = `"${action.script.name}" would: ${actionText(action, 90)}, but this action is switched off.`;
  return [{ text, otherwise: 'Switched on', keys: [...keysOf(action), 'disabled'], value: false }];
}

function otherNames(action: Action, { aspect, key: wanted }: Named): Repair[] {
  const keys = changesOf(action, aspect as 'attribute').flatMap(({ key, to }) => (aspect === 'type' ? to : key) ?? []);
  const types = creationsBy(action).flatMap(({ kind, type }) => (kind === aspect && type !== undefined ? type : []));
  return [...keys.map((key) => action.operand(key)), ...types].flatMap((operand) => {
    const name = nameIn(operand);
    const node = operand.kind === 'literal' ? operand : descriptorKeyNode(operand);
    if (node === undefined || name === undefined || name === wanted) return [];
    return { ...repair(action, node, wanted, `"${wanted}" instead of "${name}"`), rank: 3.5 };
  });
}

/** The functions without operands that scripts use, by the type of their value. */
function entitiesIn({ scripts }: Program): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { node } of scripts)
    for (const each of everyNode(node.actions))
      if (each.kind === 'call' && each.rule !== undefined && each.operands.length === 0)
        cached(found, each.rule.returns ?? '', () => new Set<string>()).add(each.operation);
  return found;
}

function entityCallsIn(action: Action): readonly Call[] {
  return action.given
    .filter(({ kind }) => kind !== 'block')
    .flatMap((each) => [...everyNode(each)])
    .filter((each): each is Call => each.kind === 'call')
    .filter(
      ({ rule, operands }) =>
        operands.length === 0 && /^(?:unit|player|item|projectile|entity)$/.test(rule?.returns ?? ''),
    );
}

function repair(action: Action, node: Node, value: unknown, instead: string): Repair {
  const { script } = action;
  return {
    text: `"${script.name}" does: ${actionText(action, 90)}.`,
    otherwise: `With ${instead}`,
    isExact: true,
    keys: keysOf(node),
    value,
  };
}

/** The path from the definition to a node. */
function keysOf({ script, keys }: Node): readonly (string | number)[] {
  return [...script.place.split('/'), ...keys.slice(script.keys.length)];
}
