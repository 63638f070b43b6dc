import type { Definition } from '../../engine/index.ts';
import { debrisColor, sideColors, typeColors } from './palette.ts';

export type FigureKind = 'unit' | 'item' | 'projectile' | 'debris';

/** The part of an entity's appearance that depends on its type and state. */
export interface TypeLook {
  /** A CSS colour. */
  readonly color: string;
  readonly isRound: boolean;
  /** Whether the entity is in a state other than the first one of its type. Its edge is then dashed. */
  readonly isAltered: boolean;
}

type ValueOf<M> = M extends ReadonlyMap<string, infer V> ? V : never;
type EntityType = ValueOf<Definition['unitTypes' | 'itemTypes' | 'projectileTypes']>;

const debrisLook: TypeLook = { color: debrisColor, isRound: false, isAltered: false };
const colorPattern = /^(#[0-9a-f]{3,8}|[a-z]{3,24}|(rgb|hsl)a?\([\d\s.,%/]+\))$/i;
const white = /^(#fff(fff)?|white)$/i;

/**
 * The appearance of each type of a definition. The colour of a type depends on its position in the definition, so it is
 * the same in all pictures and pages of a game.
 */
export class TypeLooks {
  private readonly colors = new Map<string, string>();
  private readonly sides = new Map<string, string>();

  constructor(private readonly definition: Definition) {
    const { unitTypes, itemTypes, projectileTypes, playerTypes } = definition;
    for (const [kind, types] of [
      ['unit', unitTypes],
      ['item', itemTypes],
      ['projectile', projectileTypes],
    ] as const) {
      for (const key of types.keys())
        this.colors.set(`${kind} ${key}`, typeColors[this.colors.size % typeColors.length]!);
    }
    const given = [...playerTypes.values()].map(({ color }) => colorOr(color, '').toLowerCase());
    [...playerTypes.keys()].forEach((key, i) => {
      const own = given[i]!;
      const isDistinct = own !== '' && !white.test(own) && given.indexOf(own) === given.lastIndexOf(own);
      this.sides.set(key, isDistinct ? own : sideColors[i % sideColors.length]!);
    });
  }

  of(kind: FigureKind, typeKey: string | undefined, state: string | null | undefined): TypeLook {
    if (kind === 'debris') return debrisLook;
    const type = this.typeOf(kind, typeKey ?? '');
    const body = type?.bodies.get(type.states.get(state ?? '')?.body ?? '') ?? type?.bodies.values().next().value;
    return {
      color: this.colors.get(`${kind} ${typeKey}`) ?? debrisColor,
      isRound: body?.fixtures[0]?.shape.type === 'circle',
      isAltered: type !== undefined && [...type.states.keys()].indexOf(state ?? '') > 0,
    };
  }

  /**
   * The edge of the units of a player type: the colour that the game defines if it distinguishes the sides, otherwise
   * one of `sideColors`. Undefined if there is only one side.
   */
  side(playerType: string | undefined): { readonly name: string; readonly color: string } | undefined {
    const color = this.sides.size > 1 && playerType !== undefined ? this.sides.get(playerType) : undefined;
    return color === undefined
      ? undefined
      : { name: this.definition.playerTypes.get(playerType!)!.name || playerType!, color };
  }

  /** The name of a type, or its key if it has no name, or its kind if it has neither. */
  nameOf(kind: FigureKind, type: string | undefined): string {
    return this.typeOf(kind, type ?? '')?.name || type || kind;
  }

  /** The definition of an entity's type; undefined for debris, and for a type that the definition does not contain. */
  typeOf(kind: FigureKind, key: string): EntityType | undefined {
    const { unitTypes, itemTypes, projectileTypes } = this.definition;
    return { unit: unitTypes, item: itemTypes, projectile: projectileTypes, debris: undefined }[kind]?.get(key);
  }
}

/** Returns `given` if it is a valid CSS colour, otherwise `otherwise`. Games may contain anything here. */
export function colorOr(given: unknown, otherwise: string): string {
  return typeof given === 'string' && colorPattern.test(given) ? given : otherwise;
}
