import {
  type AABB,
  type BroadPhase,
  Fixture,
  type FixtureOpt,
  type Shape,
  type TransformValue,
} from '../planck/planck.ts';
import type { FlatBroadPhase } from './broad-phase.ts';
import type { BodyNode, FixtureNode, FlatProxy } from './graph.ts';
import { reachOf } from './outline.ts';

const unknown = -1;

/** A fixture of planck's that tells its body and its contacts what the step keeps of it when that changes. */
export class FlatFixture extends Fixture implements FixtureNode {
  declare readonly m_body: BodyNode;
  declare readonly m_next: FlatFixture | null;
  declare readonly m_shape: Shape;
  declare readonly m_proxies: FlatProxy[];
  declare readonly m_proxyCount: number;
  declare readonly m_isSensor: boolean;
  declare readonly m_friction: number;
  declare readonly m_restitution: number;
  private knownReach = unknown;

  constructor(body: BodyNode, shape: Shape, definition?: FixtureOpt) {
    super(body as never, shape, definition);
  }

  /** How far it reaches from its body's centre of mass, m, and a little more; infinite for shapes that the step does not know. */
  get reach(): number {
    if (this.knownReach === unknown) this.knownReach = reachOf(this.m_shape, this.m_body.m_sweep.localCenter);
    return this.knownReach;
  }

  forgetReach(): void {
    this.knownReach = unknown;
  }

  override setSensor(isSensor: boolean): void {
    super.setSensor(isSensor);
    this.refreshContacts();
  }

  override createProxies(broadPhase: BroadPhase, transform: TransformValue): void {
    super.createProxies(broadPhase, transform);
    this.forgetReach();
    this.m_body.forgetLeaf();
    this.refreshContacts();
  }

  override destroyProxies(broadPhase: BroadPhase): void {
    super.destroyProxies(broadPhase);
    this.m_body.forgetLeaf();
  }

  override getAABB(child: number): AABB {
    const proxy = this.m_proxies[child]!;
    const isInTree = proxy.proxyId !== null && child < this.m_proxyCount;
    const inside = this.m_body as unknown as { m_world: { m_broadPhase: FlatBroadPhase } };
    return isInTree ? inside.m_world.m_broadPhase.tightBox(proxy.leaf, proxy.aabb) : proxy.aabb;
  }

  private refreshContacts(): void {
    for (let edge = this.m_body.m_contactList; edge !== null; edge = edge.next) {
      const { contact } = edge;
      if (contact.m_fixtureA === this || contact.m_fixtureB === this) contact.refresh();
    }
  }
}
