import { Contact, type Manifold } from '../planck.ts';
import type { Collide } from './collide.ts';
import type { ContactNode, EdgeNode, FixtureNode } from './graph.ts';

/** What a contact tells the store that it is in. */
export interface ContactHome {
  readonly toFilter: Uint8Array;
  refresh(contact: FlatContact): void;
}

/** A contact of planck's with a row in the contact store of its world. Used again after it has ended, by the same world. */
export class FlatContact extends Contact implements ContactNode {
  row = -1;
  /** The step in which it was last part of an island. */
  stamp = 0;
  /** The walk over contacts by time of impact that `m_toi` and its flags belong to. */
  impactStamp = 0;
  readonly store: ContactHome;
  declare readonly m_fixtureA: FixtureNode;
  declare readonly m_fixtureB: FixtureNode;
  declare readonly m_indexA: number;
  declare readonly m_indexB: number;
  declare readonly m_manifold: Manifold;
  declare readonly m_nodeA: EdgeNode;
  declare readonly m_nodeB: EdgeNode;
  declare m_prev: FlatContact | null;
  declare m_next: FlatContact | null;
  declare readonly m_friction: number;
  declare readonly m_restitution: number;
  declare readonly m_tangentSpeed: number;
  declare m_enabledFlag: boolean;
  declare m_touchingFlag: boolean;
  declare m_filterFlag: boolean;
  declare m_islandFlag: boolean;
  declare m_toiFlag: boolean;
  declare m_toi: number;
  declare m_toiCount: number;
  declare readonly m_impulse: object;
  // planck's own, which its types leave out.
  declare initialize: (a: FixtureNode, childA: number, b: FixtureNode, childB: number, collide: Collide) => void;
  declare recycle: () => void;

  constructor(store: ContactHome) {
    super();
    this.store = store;
  }

  override flagForFiltering(): void {
    super.flagForFiltering();
    this.store.toFilter[this.row] = 1;
  }

  refresh(): void {
    this.store.refresh(this);
  }
}
