import type { Body, World } from './planck/planck.ts';

/**
 * Members of planck 1.5.0 that a snapshot has to know. Its own types leave them out, and its version is pinned. A new member does not go unnoticed:
 * every member of a restored world is compared with the original in test/physics/snapshot.test.ts.
 */

type Numbers<Names extends string> = Record<Names, number>;
type Flags<Names extends string> = Record<Names, boolean>;
export type Vector = Numbers<'x' | 'y'>;

type FixtureNumbers = 'm_friction' | 'm_restitution' | 'm_density';
type FilterNumbers = 'm_filterGroupIndex' | 'm_filterCategoryBits' | 'm_filterMaskBits' | 'm_proxyCount';
export interface InnerFixture extends Numbers<FixtureNumbers | FilterNumbers> {
  m_next: InnerFixture | null;
  m_shape: InnerShape;
  m_isSensor: boolean;
  m_proxies: InnerProxy[];
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

export type InnerShape =
  | { m_type: 'circle'; m_radius: number; m_p: Vector }
  | { m_type: 'polygon'; m_radius: number; m_centroid: Vector; m_vertices: Vector[]; m_normals: Vector[] };

type BodyFlagName = 'm_awakeFlag' | 'm_autoSleepFlag' | 'm_bulletFlag' | 'm_fixedRotationFlag' | 'm_activeFlag';
type MassNumbers = 'm_mass' | 'm_invMass' | 'm_I' | 'm_invI' | 'm_linearDamping' | 'm_angularDamping';
type MotionNumbers = 'm_torque' | 'm_angularVelocity' | 'm_gravityScale' | 'm_sleepTime';
export interface InnerBody extends Numbers<MassNumbers | MotionNumbers>, Flags<BodyFlagName> {
  m_userData: unknown;
  m_type: 'static' | 'kinematic' | 'dynamic';
  m_xf: { p: Vector; q: Numbers<'s' | 'c'> };
  m_sweep: { localCenter: Vector; c: Vector; a: number; alpha0: number; c0: Vector; a0: number };
  m_force: Vector;
  m_linearVelocity: Vector;
  m_fixtureList: InnerFixture;
  m_next: InnerBody | null;
}

export interface InnerManifoldPoint extends Numbers<'normalImpulse' | 'tangentImpulse'> {
  localPoint: Vector;
  id: Numbers<'indexA' | 'typeA' | 'indexB' | 'typeB'> & {
    setFeatures(indexA: number, typeA: number, indexB: number, typeB: number): void;
  };
}

export interface InnerContact extends Flags<'m_enabledFlag' | 'm_touchingFlag' | 'm_filterFlag'> {
  m_fixtureA: InnerFixture;
  m_fixtureB: InnerFixture;
  m_manifold: {
    type: number | undefined;
    localNormal: Vector;
    localPoint: Vector;
    pointCount: number;
    points: InnerManifoldPoint[];
  };
  m_next: InnerContact | null;
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
  s_step: Numbers<'dt' | 'inv_dt' | 'inv_dt0' | 'dtRatio'>;
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
