import type { Definition } from '../../engine/index.ts';
import { typesByKind } from '../../engine/tools.ts';
import { debrisColor, sideColors, typeColors } from './palette.ts';

export type FigureKind = 'unit' | 'item' | 'projectile' | 'debris';

/** An animation in a sprite sheet of the definition. */
export interface ImageLook {
  readonly url: string;
  readonly columns: number;
  readonly rows: number;
  /** The cells of the sheet to show in turn, counted row by row from 1; at least one. */
  readonly frames: readonly number[];
  readonly framesPerSecond: number;
}

/** The part of an entity's appearance that depends on its type and state. */
export interface TypeLook {
  /** The colour of the shape, in CSS. */
  readonly color: string;
  readonly isRound: boolean;
  /** Whether the entity is in a state other than the first one of its type. Its edge is then dashed. */
  readonly isAltered: boolean;
  /** Whether the entity does not turn towards the mouse, but looks to the right, or mirrored to the left. */
  readonly looksAside?: boolean;
  /** The image, which is drawn instead of the coloured shape; undefined if there is none that may be drawn. */
  readonly image?: ImageLook | undefined;
  /**
   * For a held item: its position relative to the unit's centre in world pixels, with y ahead, and its rotation in
   * degrees.
   */
  readonly anchor?: { readonly x: number; readonly y: number; readonly rotation?: number | undefined } | undefined;
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

  /** `isAllowed`: whether the image at a URL may be drawn. By default, only embedded ones may. */
  constructor(
    private readonly definition: Definition,
    private readonly isAllowed = (url: string) => isEmbedded('image', url),
  ) {
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
    const { body: bodyKey = '', animation = '' } = type?.states.get(state ?? '') ?? {};
    const mouse = kind === 'unit' ? this.definition.unitTypes.get(typeKey ?? '')?.controls?.mouseBehaviour : undefined;
    const body = type?.bodies.get(bodyKey) ?? type?.bodies.values().next().value;
    return {
      color: this.colors.get(`${kind} ${typeKey}`) ?? debrisColor,
      isRound: body?.fixtures[0]?.shape.type === 'circle',
      isAltered: type !== undefined && [...type.states.keys()].indexOf(state ?? '') > 0,
      looksAside: mouse?.flipSpriteHorizontallyWRTMouse === true && !mouse.rotateToFaceMouseCursor,
      image: type && this.imageOf(type, animation),
      anchor: type?.bodies.get(bodyKey)?.unitAnchor,
    };
  }

  /** The image of a type with one of its animations; undefined if it may not be drawn. */
  imageOf({ cellSheet, animations }: EntityType, animation: string): ImageLook | undefined {
    const { url = '', rowCount = 1, columnCount = 1 } = cellSheet ?? {};
    if (!this.isAllowed(url)) return undefined;
    const [columns, rows] = [Math.max(1, columnCount), Math.max(1, rowCount)];
    const { frames = [], framesPerSecond = 0 } = animations.get(animation) ?? {};
    const cells = frames.filter((frame) => frame >= 1 && frame <= columns * rows);
    return {
      url,
      columns,
      rows,
      frames: cells.length > 0 ? cells : [1],
      framesPerSecond: Math.max(0, framesPerSecond),
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

  /** The name of a type; the key of a type without a name; the kind of an entity without a type. */
  nameOf(kind: FigureKind, type: string | undefined): string {
    return this.typeOf(kind, type ?? '')?.name || type || kind;
  }

  /** The definition of an entity's type; undefined for debris, and for a type that the definition does not contain. */
  typeOf(kind: FigureKind, key: string): EntityType | undefined {
    return kind === 'debris' ? undefined : typesByKind(this.definition)[kind].get(key);
  }
}

/** Whether a URL contains the file itself. */
export function isEmbedded(kind: 'image' | 'audio', url: string): boolean {
  return url.slice(0, 11).toLowerCase() === `data:${kind}/`;
}

/** Returns `given` if it is a valid CSS colour, otherwise `otherwise`. Games may contain anything here. */
export function colorOr(given: unknown, otherwise: string): string {
  return typeof given === 'string' && colorPattern.test(given) ? given : otherwise;
}
