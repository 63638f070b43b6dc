import { titleOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';
import { textsOf } from '../texts.ts';

/** States that the engine itself sets, without a script (reference: items-projectiles#item-states). */
const givenStates: ReadonlySet<string> = new Set('default selected unselected unSelected dropped none'.split(' '));

interface Thing {
  readonly name: string;
  readonly pointer: string;
}

export const unused: Rule = {
  severity: 'info',
  about: 'A state, body or animation of a type that no state, effect or script uses.',
  because: 'Delete the state, body or animation, or correct its name where it is misspelt.',
  wrong: `{ "unitTypes": { "hero": { "bodies": { "small": { "type": "dynamic", "width": 9, "height": 9 } } } } }`,
  right: `{ "unitTypes": { "hero": { "states": { "default": { "body": "small" } }, "bodies": { "small": { "type": "dynamic", "width": 9, "height": 9 } } } } }`,
  check({ definition, entityTypes, once, report }) {
    const texts = once(textsOf);
    const add = (noun: string, things: ReadonlyMap<string, Thing>, isUsed: (key: string, name: string) => boolean) => {
      for (const [key, { name, pointer }] of things)
        if (!texts.has(key) && !isUsed(key, name))
          report(pointer, `Nothing uses the ${noun} ${titleOf({ key, name })}.`, { found: key });
    };
    for (const { states, bodies, animations, effects } of entityTypes) {
      const own = new Set<string | undefined>(['default']);
      for (const { animation } of effects.values()) own.add(animation);
      for (const { body, animation } of states.values()) own.add(body).add(animation);
      add('state', states, (key, name) => givenStates.has(key) || givenStates.has(name));
      add('body', bodies, (key) => own.has(key));
      add('animation', animations, (key) => own.has(key));
    }
    add('shop', definition.shops, () => false);
  },
};
