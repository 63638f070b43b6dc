/**
 * What is used of planck: shapes, where two of them touch, and when. planck's sines and cosines are those of the JavaScript engine, which differ
 * between engines, so planck must not rotate anything here: transforms get their sine and cosine from `core/dmath.ts`.
 */
export {
  BoxShape,
  CircleShape,
  CollidePolygons,
  Manifold,
  Sweep,
  TimeOfImpact,
  TOIInput,
  TOIOutput,
  TOIOutputState,
  Transform,
  type TransformValue,
  testOverlap,
} from 'planck';
