import type { Definition } from '../../engine/index.ts';
import { debrisColor, sideColors, typeColors } from './palette.ts';

export type FigureKind = 'unit' | 'item' | 'projectile' | 'debris';

/** The appearance of an entity that follows from its type and its state. */
export interface TypeLook {
  /** A CSS colour. */
  readonly color: string;
  readonly isRound: boolean;
  /** Whether the entity is in a state other than the first of its type; its edge is dashed. */
  readonly isAltered: boolean;
}

const debrisLook: TypeLook = { color: debrisColor, isRound: false, isAltered: false };
const colorPattern = /^(#[0-9a-f]{3,8}|[a-z]{3,24}|(rgb|hsl)a?\([\d\s.,%/]+\))$/i;
const white = /^(#fff(fff)?|white)$/i;

/**
 * How the types of a definition are drawn. Each type has its own colour, by its position in the definition, so that it
 * is the same in all pictures and pages of a game.
 */
export class TypeLooks {
  private readonly colors = new Map<string, string>();
  private readonly sides = new Map<string, string>();
  private readonly looks = new Map<string, TypeLook>();

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

  of(kind: FigureKind, type: string | undefined, state: string | null | undefined): TypeLook {
    if (kind === 'debris') return debrisLook;
    const key = `${kind} ${type ?? ''} ${state ?? ''}`;
    let look = this.looks.get(key);
    if (look === undefined) {
      look = this.lookOf(kind, type ?? '', state ?? '');
      this.looks.set(key, look);
    }
    return look;
  }

  /**
   * The edge of units of a player type. Uses the game's colour if that distinguishes sides; undefined if there is only
   * one side.
   */
  side(playerType: string | undefined): { readonly name: string; readonly color: string } | undefined {
    const color = this.sides.size > 1 && playerType !== undefined ? this.sides.get(playerType) : undefined;
    return color === undefined
      ? undefined
      : { name: this.definition.playerTypes.get(playerType!)!.name || playerType!, color };
  }

  /** The name of a type, or its key if it has none. */
  nameOf(kind: FigureKind, type: string | undefined): string {
    return this.typesOf(kind)?.get(type ?? '')?.name || type || kind;
  }

  private typesOf(kind: FigureKind) {
    const { unitTypes, itemTypes, projectileTypes } = this.definition;
    return { unit: unitTypes, item: itemTypes, projectile: projectileTypes, debris: undefined }[kind];
  }

  private lookOf(kind: Exclude<FigureKind, 'debris'>, typeKey: string, stateKey: string): TypeLook {
    const type = this.typesOf(kind)?.get(typeKey);
    const body = type?.bodies.get(type.states.get(stateKey)?.body ?? '') ?? type?.bodies.values().next().value;
    return {
      color: this.colors.get(`${kind} ${typeKey}`) ?? debrisColor,
      isRound: body?.fixtures[0]?.shape.type === 'circle',
      isAltered: type !== undefined && [...type.states.keys()].indexOf(stateKey) > 0,
    };
  }
}

/** A colour given by a game, if it is a valid colour name or value. */
export function colorOr(given: unknown, otherwise: string): string {
  return typeof given === 'string' && colorPattern.test(given) ? given : otherwise;
}
