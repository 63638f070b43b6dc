import type { Body, World } from './planck/planck.ts';

/**
 * Members of planck 1.5.0 that a snapshot has to know. Its own types leave them out, and its version is pinned. A new member does not go unnoticed:
 * every member of a restored world is compared with the original in test/physics/snapshot.test.ts.
 */

export interface Vector {
  x: number;
  y: number;
}

export interface InnerFixture {
  m_body: InnerBody;
  m_next: InnerFixture | null;
  m_shape: InnerCircle | InnerPolygon;
  m_friction: number;
  m_restitution: number;
  m_density: number;
  m_isSensor: boolean;
  m_filterGroupIndex: number;
  m_filterCategoryBits: number;
  m_filterMaskBits: number;
  m_proxies: InnerProxy[];
  m_proxyCount: number;
}

export interface InnerProxy {
  aabb: InnerBox;
  fixture: InnerFixture;
  proxyId: number;
}

export interface InnerBox {
  lowerBound: Vector;
  upperBound: Vector;
}

export interface InnerCircle {
  m_type: 'circle';
  m_radius: number;
  m_p: Vector;
}

export interface InnerPolygon {
  m_type: 'polygon';
  m_radius: number;
  m_centroid: Vector;
  m_vertices: Vector[];
  m_normals: Vector[];
  m_count: number;
}

export interface InnerBody {
  m_userData: unknown;
  m_type: 'static' | 'kinematic' | 'dynamic';
  m_awakeFlag: boolean;
  m_autoSleepFlag: boolean;
  m_bulletFlag: boolean;
  m_fixedRotationFlag: boolean;
  m_activeFlag: boolean;
  m_mass: number;
  m_invMass: number;
  m_I: number;
  m_invI: number;
  m_xf: { p: Vector; q: { s: number; c: number } };
  m_sweep: { localCenter: Vector; c: Vector; a: number; alpha0: number; c0: Vector; a0: number };
  m_force: Vector;
  m_torque: number;
  m_linearVelocity: Vector;
  m_angularVelocity: number;
  m_linearDamping: number;
  m_angularDamping: number;
  m_gravityScale: number;
  m_sleepTime: number;
  m_fixtureList: InnerFixture;
  m_prev: InnerBody | null;
  m_next: InnerBody | null;
}

export interface InnerManifold {
  type: number | undefined;
  localNormal: Vector;
  localPoint: Vector;
  pointCount: number;
  points: InnerManifoldPoint[];
}

export interface InnerManifoldPoint {
  localPoint: Vector;
  normalImpulse: number;
  tangentImpulse: number;
  id: { setFeatures(indexA: number, typeA: number, indexB: number, typeB: number): void } & FeaturePair;
}

export interface FeaturePair {
  indexA: number;
  indexB: number;
  typeA: number;
  typeB: number;
}

export interface InnerContact {
  m_fixtureA: InnerFixture;
  m_fixtureB: InnerFixture;
  m_manifold: InnerManifold;
  m_prev: InnerContact | null;
  m_next: InnerContact | null;
  m_enabledFlag: boolean;
  m_touchingFlag: boolean;
  m_filterFlag: boolean;
  flagForFiltering(): void;
}

export interface InnerNode {
  id: number;
  aabb: InnerBox & { combine(a: InnerBox, b: InnerBox): void };
  userData: InnerProxy | null;
  parent: InnerNode | null;
  child1: InnerNode | null;
  child2: InnerNode | null;
  height: number;
}

export interface InnerTree {
  m_root: InnerNode | null;
  m_lastProxyId: number;
  /** Makes a node with the next id. */
  allocateNode(): InnerNode;
  insertLeaf(leaf: InnerNode): void;
}

export interface InnerWorld {
  s_step: { dt: number; inv_dt: number; inv_dt0: number; dtRatio: number };
  m_bodyList: InnerBody | null;
  m_contactList: InnerContact | null;
  m_contactCount: number;
  m_newFixture: boolean;
  m_broadPhase: { m_tree: InnerTree; m_moveBuffer: (number | null)[]; touchProxy(id: number): void };
  /** Nothing happens for two fixtures that cannot meet, or do already. */
  createContact(a: InnerProxy, b: InnerProxy): void;
}

export function insideOf(world: World): InnerWorld {
  return world as unknown as InnerWorld;
}

export function insideBody(body: Body): InnerBody {
  return body as unknown as InnerBody;
}

export function outsideBody(body: InnerBody): Body {
  return body as unknown as Body;
}
