import { BoxShape, CircleShape, type Shape, type Vec2Value } from './planck/planck.ts';

/** A box that remembers the sizes it was made of: its corners do not tell them to the last digit. */
export class Box extends BoxShape {
  readonly halfWidth: number;
  readonly halfHeight: number;

  constructor(halfWidth: number, halfHeight: number, middle: Vec2Value) {
    super(halfWidth, halfHeight, middle, 0);
    this.halfWidth = halfWidth;
    this.halfHeight = halfHeight;
  }
}

/** Metres. The numbers that a shape is made of. */
interface ShapeSizes {
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

/** What `makeShape` was given. */
export function sizesOf(shape: Shape): ShapeSizes {
  if (shape instanceof Box) {
    const { halfWidth, halfHeight, m_centroid } = shape;
    return { circle: false, width: halfWidth, height: halfHeight, middleX: m_centroid.x, middleY: m_centroid.y };
  }
  const { m_radius, m_p } = shape as CircleShape;
  return { circle: true, width: m_radius, height: 0, middleX: m_p.x, middleY: m_p.y };
}
