import { BoxShape, CircleShape } from './planck.ts';

/** A box that stores its exact sizes, because they cannot be computed from its corners to the last digit. */
export class Box extends BoxShape {
  constructor(
    readonly halfWidth: number,
    readonly halfHeight: number,
    middle: { readonly x: number; readonly y: number },
  ) {
    super(halfWidth, halfHeight, middle, 0);
  }
}

export type Shape = CircleShape | Box;

export const shapeSizes = ['circle', 'width', 'height', 'middleX', 'middleY'] as const;

/** The sizes of a shape, in metres. */
export interface ShapeSizes {
  circle: boolean;
  /** Radius of a circle, or half a side of a box. */
  width: number;
  height: number;
  middleX: number;
  middleY: number;
}

/**
 * Shapes by a hash of their sizes. Shapes never change, so all bodies and simulations share them: a shape is a large
 * object, and a game needs few different ones. The map is emptied when it has `knownMax` hashes.
 */
const known = new Map<number, Shape[]>();
const knownMax = 1000;

/**
 * The shape with these sizes. Returns the same object for the same sizes, as long as the cache has not been emptied in
 * between.
 */
export function shapeOfSizes(sizes: ShapeSizes): Shape {
  const key = sizes.width + 3 * sizes.height + 5 * sizes.middleX + 7 * sizes.middleY;
  const alike = known.get(key);
  const shape = alike?.find((each) => hasSizes(each, sizes));
  if (shape !== undefined) return shape;
  const { circle, width, height } = sizes;
  const middle = { x: sizes.middleX, y: sizes.middleY };
  const made = circle ? new CircleShape(middle, width) : new Box(width, height, middle);
  if (known.size === knownMax) known.clear();
  if (alike === undefined || known.size === 0) known.set(key, [made]);
  else alike.push(made);
  return made;
}

function hasSizes(shape: Shape, sizes: ShapeSizes): boolean {
  const own = sizesOf(shape);
  return shapeSizes.every((name) => Object.is(own[name], sizes[name]));
}

/** The sizes of a shape, for `shapeOfSizes`. */
export function sizesOf(shape: Shape): ShapeSizes {
  if (isCircle(shape)) {
    const { m_radius, m_p } = shape;
    return { circle: true, width: m_radius, height: 0, middleX: m_p.x, middleY: m_p.y };
  }
  const { halfWidth, halfHeight, m_centroid } = shape;
  return { circle: false, width: halfWidth, height: halfHeight, middleX: m_centroid.x, middleY: m_centroid.y };
}

export function isCircle(shape: Shape): shape is CircleShape {
  return shape instanceof CircleShape;
}
