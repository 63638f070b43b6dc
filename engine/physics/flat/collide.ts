import {
  type ChainShape,
  type CircleShape,
  CollideCircles,
  CollideEdgeCircle,
  CollideEdgePolygon,
  CollidePolygonCircle,
  CollidePolygons,
  EdgeShape,
  type Fixture,
  type Manifold,
  type PolygonShape,
  type TransformValue,
} from '../planck/planck.ts';

/** Fills a manifold with where two shapes meet; as planck's contacts call it. */
export type Collide = (
  manifold: Manifold,
  transformA: TransformValue,
  a: Fixture,
  childA: number,
  transformB: TransformValue,
  b: Fixture,
  childB: number,
) => void;

// Reused by every call.
const edge = new EdgeShape();

function edgeOf(chain: Fixture, child: number): EdgeShape {
  (chain.getShape() as unknown as ChainShape).getChildEdge(edge, child);
  return edge;
}

/** planck's table of pairs of shapes, which it keeps to itself. A pair that is in it only the other way round is turned round. */
const table: Readonly<Record<string, Collide>> = {
  'circle circle': (manifold, ta, a, _childA, tb, b) =>
    CollideCircles(manifold, a.getShape() as CircleShape, ta, b.getShape() as CircleShape, tb),
  'edge circle': (manifold, ta, a, _childA, tb, b) =>
    CollideEdgeCircle(manifold, a.getShape() as EdgeShape, ta, b.getShape() as CircleShape, tb),
  'chain circle': (manifold, ta, a, childA, tb, b) =>
    CollideEdgeCircle(manifold, edgeOf(a, childA), ta, b.getShape() as CircleShape, tb),
  'polygon polygon': (manifold, ta, a, _childA, tb, b) =>
    CollidePolygons(manifold, a.getShape() as PolygonShape, ta, b.getShape() as PolygonShape, tb),
  'polygon circle': (manifold, ta, a, _childA, tb, b) =>
    CollidePolygonCircle(manifold, a.getShape() as PolygonShape, ta, b.getShape() as CircleShape, tb),
  'edge polygon': (manifold, ta, a, _childA, tb, b) =>
    CollideEdgePolygon(manifold, a.getShape() as EdgeShape, ta, b.getShape() as PolygonShape, tb),
  'chain polygon': (manifold, ta, a, childA, tb, b) =>
    CollideEdgePolygon(manifold, edgeOf(a, childA), ta, b.getShape() as PolygonShape, tb),
};

/** How two kinds of shape collide in this order; undefined if planck does not know it. */
export function collideOf(typeA: string, typeB: string): Collide | undefined {
  return table[`${typeA} ${typeB}`];
}
