import { cached } from '../core/cached.ts';
import { type Ability, free, type KeyBinding, noCost } from '../definition/ability.ts';
import type { Parts } from '../schema/index.ts';
import type { TypeTables } from './types.ts';
import type { World } from './world.ts';

/**
 * Assigns numbers to the parts of the definition that a world refers to, so that a snapshot stores a number instead of
 * a copy of the part.
 */
class DefinitionParts implements Parts {
  private readonly list: object[] = [];
  private readonly numbers = new Map<object, number>();
  private last: object | undefined;
  private lastNumber = -1;
  private readonly groups = {
    map: new Set<unknown>(),
    layout: new Set<unknown>(),
    body: new Set<unknown>(),
    cost: new Set<unknown>(),
  };

  constructor({ definition, types, globals }: World) {
    const { map, abilities } = definition;
    if (map !== undefined) {
      this.add('map', map);
      for (const layer of map.layers) this.add('map', layer.data);
    }
    this.add('map', globals.layout);
    for (const table of [types.unit, types.item, types.projectile, types.player]) {
      for (const { variables } of table.list) this.add('layout', variables);
    }
    for (const table of [types.unit, types.item, types.projectile]) {
      for (const { definition: type } of table.list) for (const body of type.bodies.values()) this.add('body', body);
    }
    this.add('cost', free);
    this.add('cost', noCost);
    this.addCosts(abilities);
    for (const { definition: type } of types.unit.list) {
      if (type.controls !== undefined) this.addCosts(type.controls.unitAbilities, type.controls.abilities);
      this.addCosts(new Map(), type.legacyAbilities);
    }
  }

  numberOf(part: object): number {
    // The last lookup is cached, because neighbouring rows mostly refer to the same part.
    if (part !== this.last) {
      this.last = part;
      this.lastNumber = this.numbers.get(part) ?? -1;
    }
    return this.lastNumber;
  }

  at(number: number): object | undefined {
    return this.list[number];
  }

  isOf(group: keyof DefinitionParts['groups'], part: unknown): boolean {
    return this.groups[group].has(part);
  }

  private addCosts(abilities: ReadonlyMap<string, Ability>, keys?: ReadonlyMap<string, KeyBinding>) {
    for (const { cost } of abilities.values()) this.add('cost', cost);
    for (const { keyDown, keyUp } of keys?.values() ?? []) {
      for (const binding of [keyDown, keyUp]) if (binding?.kind === 'script') this.add('cost', binding.cost);
    }
  }

  private add(group: keyof DefinitionParts['groups'], part: object) {
    this.groups[group].add(part);
    // Equal parts may share one object. Such an object keeps its first number, because numbers must be the same in
    // every process.
    if (this.numbers.has(part)) return;
    this.numbers.set(part, this.list.length);
    this.list.push(part);
  }
}

const partsByTypes = new WeakMap<TypeTables, Parts>();

/**
 * The numbered parts of a world's definition. The result is cached: worlds that share their type tables share these
 * parts.
 */
export function partsOf(world: World): Parts {
  return cached(partsByTypes, world.types, () => new DefinitionParts(world));
}
