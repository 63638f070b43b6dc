import type { Condition, Definition } from '../../../engine/index.ts';
import { scriptsOf } from '../../../engine/tools.ts';
import { type Interests, phrasesIn } from '../../bots/index.ts';
import { tokenize } from '../../expression/index.ts';
import { conditionOf, modelOf } from '../../model/index.ts';

/**
 * How many steps the search goes back: from a script to the values that its conditions read, and on to the scripts that
 * write these values.
 */
const depthMax = 3;

/**
 * Collects what leads to something with one of these names, or to the scripts at these places. Goes back to the actions
 * that write or create the thing, to the conditions on those actions, to what the conditions read, and so on; and from
 * items to the shops that sell them, and to the prices.
 */
export function leadsTo(definition: Definition, ...about: readonly string[]): Interests {
  const { itemTypes, unitTypes, variables, shops } = definition;
  const model = modelOf(definition);
  const regions = [...variables.values()].flatMap(({ key, dataType }) => (dataType === 'region' ? key : []));
  const wanted = new Set<string>();
  const places = new Set<string>();
  const ways = new Set<Condition>();
  const known = new Set<string>();
  let words = new Set(about);
  for (let depth = 0; depth < depthMax && words.size > 0; depth++) {
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
          ({ path, role, value }) =>
            words.has(place) ||
            (role !== 'reads' && words.has(String(value))) ||
            named.some((each) => each.path.startsWith(`/actions/${path}/`)),
        );
      if (causes.length === 0) continue;
      places.add(place);
      next.add(source.key);
      if (owner.kind === 'unit') wanted.add([...unitTypes.keys()][owner.type]!);
      if (owner.kind === 'item') next.add([...itemTypes.keys()][owner.type]!);
      ways.add(conditions);
      const read = new Set<string>();
      for (const guard of causes.flatMap(({ guards }) => guards)) {
        const action = model.action(place, guard);
        if (action !== undefined) ways.add(conditionOf(action)!);
        for (const { key, path } of names) if (path.startsWith(`/actions/${guard.path}/conditions/`)) read.add(key);
      }
      for (const key of read) next.add(key);
      if (!regions.some((key) => read.has(key)) && source.triggers.some((trigger) => trigger.endsWith('EntersRegion')))
        for (const key of regions) wanted.add(key);
    }
    // Bots can look only for types and regions.
    for (const word of [...words, ...next])
      if (itemTypes.has(word) || unitTypes.has(word) || regions.includes(word)) wanted.add(word);
    words = new Set([...next].filter((word) => !known.has(word)));
  }
  const starts = [...places].flatMap((place) => model.starts(place));
  const keys = new Set(starts.flatMap(({ by, name }) => (by === 'key' ? name : [])));
  return { wanted, keys, phrases: phrasesIn(definition, ways) };
}

/** The names and strings in an expression. */
export function wordsIn(expression: string): string[] {
  return tokenize(expression).flatMap((token) => (token.kind === 'string' || token.kind === 'name' ? token.value : []));
}
