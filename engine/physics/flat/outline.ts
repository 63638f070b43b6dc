import { cached } from '../../core/cached.ts';
import { isCircle, type Shape } from '../shape.ts';

/** The number of elements per corner in an outline: x, y, and the normal of the side that starts there. */
export const cornerStride = 4;

export const noOutline = new Float64Array(0);

const outlines = new WeakMap<Shape, Float64Array>();

/**
 * Corners of a box and normals of its sides in the frame of its body; empty for a circle. Shapes never change, so each
 * outline is made once.
 */
export function outlineOf(shape: Shape): Float64Array {
  if (isCircle(shape)) return noOutline;
  return cached(outlines, shape, () => {
    const outline = new Float64Array(shape.m_count * cornerStride);
    for (let i = 0; i < shape.m_count; i++) {
      const corner = shape.m_vertices[i]!;
      const normal = shape.m_normals[i]!;
      outline.set([corner.x, corner.y, normal.x, normal.y], i * cornerStride);
    }
    return outline;
  });
}
