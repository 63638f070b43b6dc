import type { Definition } from '../../engine/index.ts';
import { type AttributeDefinition, typesByKind } from '../../engine/tools.ts';

export interface Bounds {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

/** The attributes of a type. */
interface WithAttributes {
  readonly attributes: ReadonlyMap<string, AttributeDefinition>;
}

/**
 * The values that attributes can have according to the declarations of types. The values of an attribute are unknown if
 * a script, a bonus or a buff can move its bounds.
 */
export class AttributeBounds {
  /** `moved`: the attributes whose bounds can move. An undefined element means that the bounds of any attribute can. */
  constructor(
    private readonly definition: Definition,
    private readonly moved: { readonly [K in keyof Bounds]: ReadonlySet<string | undefined> },
  ) {}

  /** The bounds of an attribute over all types that have it, without those that can move; undefined if none has it. */
  of(key: string, types: Iterable<WithAttributes>): Bounds | undefined {
    const isMoved = (end: keyof Bounds) => this.moved[end].has(key) || this.moved[end].has(undefined);
    let min = isMoved('min') ? undefined : Infinity;
    let max = isMoved('max') ? undefined : -Infinity;
    let isDeclared = false;
    for (const { attributes } of types) {
      const declared = attributes.get(key);
      if (declared === undefined) continue;
      isDeclared = true;
      min = declared.min === undefined || min === undefined ? undefined : Math.min(min, declared.min);
      max = declared.max === undefined || max === undefined ? undefined : Math.max(max, declared.max);
    }
    return isDeclared ? { min, max } : undefined;
  }

  /** The bounds of an attribute over all types of the game; undefined in the same cases as for `of`. */
  anywhere(key: string): Bounds | undefined {
    const all = Object.values(typesByKind(this.definition));
    return this.of(
      key,
      all.flatMap((types): WithAttributes[] => [...types.values()]),
    );
  }
}
