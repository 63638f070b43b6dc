/**
 * Where planck ends and `flat/` begins. Everything that each step does to each body, pair or contact runs on rows of
 * numbers, with planck's arithmetic in planck's order. A step therefore creates no objects, and snapshots, forks and
 * hashes are made from these rows. Long and subtle code that only few pairs need (clipping two boxes, the overlap of
 * two shapes, the time of an impact) is planck's own, called with shapes that never change.
 *
 * Where to find the parts of planck: `World` in `space.ts`; `Body` in `body-store.ts`, `body.ts`; there is no
 * `Fixture`, because a body has one shape; `BroadPhase`, `DynamicTree` in `broad-phase.ts`, `tree.ts` (`grid.ts`
 * replaces the tree if the order of pairs need not be planck's); `Contact`, `Manifold` in `contact-store.ts`,
 * `pair-table.ts`, `manifold.ts`; `Solver.solveWorld` in `step.ts`, `islands.ts`, `integrate.ts`, `constraints.ts`,
 * `velocities.ts`, `positions.ts`; `Solver.solveWorldTOI` in `impacts.ts`, `sweep.ts`; `RayCastInput` in `ray-path.ts`;
 * `Settings` in `settings.ts`.
 *
 * planck takes sines and cosines from the JavaScript engine, and these differ between engines, so planck must not
 * rotate anything here: transforms get their sine and cosine from `core/dmath.ts`.
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
