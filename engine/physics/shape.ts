import { BoxShape, CircleShape } from './planck.ts';

/** A box that remembers its exact sizes, which cannot be computed from its corners to the last digit. */
export class Box extends BoxShape {
  readonly halfWidth: number;
  readonly halfHeight: number;

  constructor(halfWidth: number, halfHeight: number, middle: { readonly x: number; readonly y: number }) {
    super(halfWidth, halfHeight, middle, 0);
    this.halfWidth = halfWidth;
    this.halfHeight = halfHeight;
  }
}

export type Shape = CircleShape | Box;

/** Metres. */
export interface ShapeSizes {
  circle: boolean;
  /** Radius of a circle, or half a side of a box. */
  width: number;
  height: number;
  middleX: number;
  middleY: number;
}

export function makeShape({ circle, width, height, middleX, middleY }: ShapeSizes): Shape {
  const middle = { x: middleX, y: middleY };
  return circle ? new CircleShape(middle, width) : new Box(width, height, middle);
}

/** The arguments of `makeShape` for a shape. */
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
