import { MalformedBytes } from '../core/bytes.ts';
import type { GraphAdapter } from '../core/graph.ts';
import type { World } from './world.ts';

/** Parts of the definition that a world refers to, numbered: a snapshot names them instead of holding them. */
class DefinitionParts {
  readonly list: object[] = [];
  readonly bodies = new Set<unknown>();
  readonly layouts = new Set<unknown>();
  readonly numbers = new Map<object, number>();

  constructor({ definition, types, globals }: World) {
    const { map } = definition;
    if (map !== undefined) {
      this.add(map);
      for (const layer of map.layers) this.add(layer.data);
    }
    this.add(globals.layout);
    for (const table of [types.unit, types.item, types.projectile, types.player]) {
      for (const { variables } of table.list) {
        this.add(variables);
        this.layouts.add(variables);
      }
    }
    for (const table of [types.unit, types.item, types.projectile]) {
      for (const { definition: type } of table.list) {
        for (const body of type.bodies.values()) {
          this.add(body);
          this.bodies.add(body);
        }
      }
    }
  }

  private add(part: object): void {
    // Equal parts may be one object; the first place counts, in every process.
    if (this.numbers.has(part)) return;
    this.numbers.set(part, this.list.length);
    this.list.push(part);
  }
}

const partsOfWorlds = new WeakMap<World, DefinitionParts>();

function partsOf(world: World): DefinitionParts {
  let parts = partsOfWorlds.get(world);
  if (parts === undefined) {
    parts = new DefinitionParts(world);
    partsOfWorlds.set(world, parts);
  }
  return parts;
}

/** The numbers of the parts of the definition. */
export function partNumbers(world: World): ReadonlyMap<object, number> {
  return partsOf(world).numbers;
}

/** Whether it is the body of some type. */
export function isBodyOfType(world: World, value: unknown): boolean {
  return partsOf(world).bodies.has(value);
}

/** Whether it is the layout of some type's variables. */
export function isLayoutOfType(world: World, value: unknown): boolean {
  return partsOf(world).layouts.has(value);
}

export function definitionPartAdapter(world: World): GraphAdapter<object> {
  const { list, numbers } = partsOf(world);
  return {
    owns: (value): value is object => numbers.has(value),
    save: (value) => [numbers.get(value)],
    restore([number]) {
      const part = list[number as number];
      if (part === undefined) throw new MalformedBytes('This snapshot names a part that the definition does not have.');
      return part;
    },
  };
}
