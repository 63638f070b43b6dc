import type { Condition, Definition } from '../../../engine/index.ts';
import { scriptsOf } from '../../../engine/tools.ts';
import { type Interests, phrasesIn } from '../../bots/index.ts';
import { tokenize } from '../../expression/index.ts';
import { conditionOf, modelOf } from '../../model/index.ts';

/**
 * How many steps the search goes back: from a script to the values that its conditions read, and on to the scripts that
 * write these values.
 */
const stepsMax = 2;

/**
 * Collects what leads to something with one of these names, or to the actions with these paths, such as `scripts/a 2`.
 * Goes back to the actions that write or create the thing, to the conditions on those actions, to what the conditions
 * read, and so on; and from items to the shops that sell them, and to the prices. `isOfActions`: only for actions whose
 * conditions on variables hold already.
 */
export function leadsTo(definition: Definition, about: readonly string[], isOfActions = false): Interests {
  const { itemTypes, unitTypes, variables, shops } = definition;
  const model = modelOf(definition);
  const regions = [...variables.values()].flatMap(({ key, dataType }) => (dataType === 'region' ? key : []));
  const wanted = new Set<string>();
  const ways = new Set<Condition>();
  const known = new Set<string>();
  let words = new Set(about);
  for (let step = isOfActions ? -1 : 0; step < stepsMax && words.size > 0; step++) {
    const next = new Set<string>();
    for (const word of words) {
      known.add(word);
      for (const [key, shop] of shops) {
        const price = shop.itemTypes.get(word)?.price.playerAttributes;
        if (price === undefined && !shop.unitTypes.has(word)) continue;
        next.add(key);
        for (const attribute of price?.keys() ?? []) next.add(attribute);
      }
    }
    for (const { conditions, owner, place, source } of scriptsOf(definition).scripts) {
      const names = model.names(place);
      const named = names.filter(({ key, path }) => words.has(key) && !path.includes('/conditions/'));
      const causes = model
        .usesIn(place)
        .filter(
          ({ path, role, value, after }) =>
            words.has(`${place} ${path}`) ||
            words.has(`${place} ${after?.path}`) ||
            (role !== 'reads' && words.has(String(value))) ||
            named.some((each) => each.path.startsWith(`/actions/${path}/`)),
        );
      if (causes.length === 0) continue;
      next.add(source.key);
      if (owner.kind === 'unit') wanted.add([...unitTypes.keys()][owner.type]!);
      if (owner.kind === 'item') next.add([...itemTypes.keys()][owner.type]!);
      ways.add(conditions);
      const read = new Set<string>();
      for (const guard of causes.flatMap(({ guards }) => guards)) {
        const action = model.action(place, guard);
        if (action !== undefined) ways.add(conditionOf(action)!);
        const at = guard.path === '' ? '/conditions/' : `/actions/${guard.path}/conditions/`;
        for (const { key, path } of names) if (path.startsWith(at)) read.add(key);
      }
      for (const key of read) if (!isOfActions || !variables.has(key) || regions.includes(key)) next.add(key);
      if (!regions.some((key) => read.has(key)) && source.triggers.some((trigger) => trigger.endsWith('EntersRegion')))
        for (const key of regions) wanted.add(key);
    }
    // Bots can look only for types and regions.
    for (const word of [...words, ...next])
      if (itemTypes.has(word) || unitTypes.has(word) || regions.includes(word)) wanted.add(word);
    words = new Set([...next].filter((word) => !known.has(word)));
  }
  return { wanted, phrases: phrasesIn(definition, ways) };
}

/** The names and strings in an expression. */
export function wordsIn(expression: string): string[] {
  return tokenize(expression).flatMap((token) => (token.kind === 'string' || token.kind === 'name' ? token.value : []));
}
