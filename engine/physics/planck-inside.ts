import type { FixtureProxy, TimeStep, World } from './planck/planck.ts';

/** Members of planck 1.5.0 that its own types leave out. Its version is pinned. */
interface InnerWorld {
  readonly s_step: TimeStep;
  readonly m_contactCount: number;
  m_newFixture: boolean;
  /** Nothing happens for two fixtures that cannot meet, or do already. */
  createContact(a: FixtureProxy, b: FixtureProxy): void;
}

export function insideOf(world: World): InnerWorld {
  return world as unknown as InnerWorld;
}
