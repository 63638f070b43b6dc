import { Contact, type Manifold } from '../planck/planck.ts';
import type { Collide } from './collide.ts';
import type { ContactNode, EdgeNode, FixtureNode } from './graph.ts';

/** Bits of the flags of a contact. Solved are those that have the first two and not the third. */
export const ContactFlag = { touching: 1, enabled: 2, sensor: 4 } as const;
export const isSolved = ContactFlag.touching | ContactFlag.enabled;

/** The changes of a contact that its store gets. */
export interface ContactHome {
  readonly flags: Uint8Array;
  readonly toFilter: Uint8Array;
  refresh(contact: FlatContact): void;
}

/** A contact of planck's with a row in the contact store of its world. Used again after it has ended, by the same world. */
export class FlatContact extends Contact implements ContactNode {
  row = -1;
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

  // planck's members. Its constructor writes them before the contact has a store; what it writes is what `ContactStore.add` starts with.

  get m_touchingFlag(): boolean {
    return (this.store.flags[this.row]! & ContactFlag.touching) !== 0;
  }

  set m_touchingFlag(isTouching: boolean) {
    this.setFlag(ContactFlag.touching, isTouching);
  }

  get m_enabledFlag(): boolean {
    return (this.store.flags[this.row]! & ContactFlag.enabled) !== 0;
  }

  set m_enabledFlag(isEnabled: boolean) {
    this.setFlag(ContactFlag.enabled, isEnabled);
  }

  get m_filterFlag(): boolean {
    return this.store.toFilter[this.row] === 1;
  }

  set m_filterFlag(isToFilter: boolean) {
    const { store, row } = this;
    if (store !== undefined) store.toFilter[row] = isToFilter ? 1 : 0;
  }

  private setFlag(flag: number, isSet: boolean): void {
    const { store, row } = this;
    if (store === undefined) return;
    if (isSet) store.flags[row]! |= flag;
    else store.flags[row]! &= ~flag;
  }

  refresh(): void {
    this.store.refresh(this);
  }
}
