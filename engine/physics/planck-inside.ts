import type { FixtureProxy, TimeStep, Vec2Value, World } from './planck/planck.ts';

/** Members of planck 1.5.0 that its own types leave out. Its version is pinned. */
interface InnerWorld {
  readonly s_step: TimeStep;
  readonly m_contactCount: number;
  m_newFixture: boolean;
  /** Nothing happens for two fixtures that cannot meet, or do already. */
  createContact(a: FixtureProxy, b: FixtureProxy): void;
}

export type InnerShape =
  | { m_type: 'circle'; m_radius: number; m_p: Vec2Value }
  | { m_type: 'polygon'; m_radius: number; m_centroid: Vec2Value; m_vertices: Vec2Value[]; m_normals: Vec2Value[] };

export function insideOf(world: World): InnerWorld {
  return world as unknown as InnerWorld;
}
