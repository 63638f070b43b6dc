import type { Issues } from '../core/issue.ts';
import type { Definition } from '../definition/definition.ts';
import { projectileTypesOf } from '../definition/projectile-types.ts';
import type { VariableDefinition } from '../definition/variable.ts';
import { literalText, type ScriptNode } from './ast.ts';
import { whatRuns } from './check-kinds.ts';

/** States into which entities come without a script (reference: items-projectiles#item-states). */
const givenStates: ReadonlySet<string> = new Set([
  'default',
  'selected',
  'unselected',
  'unSelected',
  'dropped',
  'none',
]);

/** Reports states, bodies and animations of types that nothing names. A text anywhere in a script counts as a name, because names can be computed. */
export function checkUnused(definition: Definition, scripts: readonly ScriptNode[], issues: Issues): void {
  const texts = textsOf(definition, scripts);
  const report = (noun: string, key: string, name: string, pointer: string): void => {
    issues.add('unused', pointer, `Nothing uses the ${noun} "${name === '' ? key : name}".`, { found: key });
  };
  for (const types of [definition.unitTypes, definition.itemTypes, projectileTypesOf(definition)]) {
    for (const { states, bodies, animations, effects } of types.values()) {
      const used = new Set<string | undefined>(texts).add('default');
      for (const { animation } of effects.values()) used.add(animation);
      for (const { body, animation } of states.values()) used.add(body).add(animation);
      for (const [key, { name, pointer }] of states) {
        if (!givenStates.has(key) && !givenStates.has(name) && !texts.has(key)) report('state', key, name, pointer);
      }
      for (const [key, { name, pointer }] of bodies) if (!used.has(key)) report('body', key, name, pointer);
      for (const [key, { name, pointer }] of animations) {
        if (!used.has(key)) report('animation', key, name ?? '', pointer);
      }
    }
  }
}

/** Texts that scripts say and that variables start with. */
function textsOf(definition: Definition, scripts: readonly ScriptNode[]): Set<string> {
  const texts = new Set<string>();
  for (const script of scripts) {
    for (const node of whatRuns(script)) {
      const text = node.kind === 'literal' ? literalText(node) : undefined;
      if (text !== undefined) texts.add(text);
    }
  }
  const collect = (variables: ReadonlyMap<string, VariableDefinition>): void => {
    for (const { default: initial } of variables.values()) if (typeof initial === 'string') texts.add(initial);
  };
  collect(definition.variables);
  for (const types of [definition.unitTypes, definition.itemTypes, definition.playerTypes])
    for (const { variables } of types.values()) collect(variables);
  return texts;
}
