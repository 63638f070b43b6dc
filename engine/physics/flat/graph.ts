import type { FixtureProxy, Manifold, Shape, TransformValue } from '../planck/planck.ts';

/** planck's objects know each other all around: a body its contacts, a contact its fixtures, a fixture its body. These are the members we use. */

/** A proxy of planck's, which knows its leaf. */
export interface FlatProxy extends FixtureProxy {
  leaf: number;
}

export interface BodyNode {
  readonly row: number;
  readonly m_contactList: EdgeNode | null;
  readonly m_sweep: { readonly localCenter: { readonly x: number; readonly y: number } };
  readonly m_world: object;
  readonly m_next: BodyNode | null;
  readonly m_fixtureList: FixtureNode | null;
  readonly m_xf: TransformValue;
  /** Its shapes have changed, or where they are in the tree. */
  forgetLeaf(): void;
}

export interface FixtureNode {
  readonly m_body: BodyNode;
  readonly m_shape: Shape;
  readonly m_next: FixtureNode | null;
  readonly m_proxies: FlatProxy[];
  readonly m_proxyCount: number;
  readonly m_isSensor: boolean;
  readonly reach: number;
  isSensor(): boolean;
}

export interface ContactNode {
  readonly row: number;
  readonly m_fixtureA: FixtureNode;
  readonly m_fixtureB: FixtureNode;
  readonly m_manifold: Manifold;
  readonly m_friction: number;
  readonly m_restitution: number;
  readonly m_tangentSpeed: number;
  m_enabledFlag: boolean;
  m_touchingFlag: boolean;
  /** One of its fixtures became a sensor, or none, or has another place in the tree. */
  refresh(): void;
}

/** A contact in the list of one of its bodies. */
export interface EdgeNode {
  contact: ContactNode;
  prev: EdgeNode | null;
  next: EdgeNode | null;
  other: BodyNode | null;
}
