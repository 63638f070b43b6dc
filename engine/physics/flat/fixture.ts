import { noStyle, withoutConstructor } from '../planck/bare.ts';
import {
  AABB,
  type BroadPhase,
  Fixture,
  type FixtureOpt,
  FixtureProxy,
  type Shape,
  type TransformValue,
} from '../planck/planck.ts';
import type { FlatBroadPhase } from './broad-phase.ts';
import type { BodyNode, FixtureNode, FlatProxy } from './graph.ts';
import { reachOf } from './outline.ts';

const unknown = -1;
const blank = -1;
const room: readonly (FlatProxy | undefined)[] = [undefined];

/** A proxy of planck's that knows its leaf. Its box, which only planck's own code asks for, is made when that first does. */
class LeafProxy extends withoutConstructor(FixtureProxy) implements FlatProxy {
  override fixture: Fixture;
  override childIndex: number;
  declare proxyId: number;
  leaf = blank;
  private box: AABB | undefined;

  constructor(fixture: Fixture, child: number) {
    super();
    this.fixture = fixture;
    this.childIndex = child;
  }

  // @ts-expect-error planck declares a field; its constructor, which would make one, is not called.
  override get aabb(): AABB {
    this.box ??= new AABB();
    return this.box;
  }
}

/** A fixture of planck's. When it changes, it updates the numbers that the step keeps of it in its body and its contacts. */
export class FlatFixture extends withoutConstructor(Fixture) implements FixtureNode {
  readonly m_body: BodyNode;
  m_next: FlatFixture | null = null;
  m_shape: Shape;
  readonly m_proxies: FlatProxy[];
  m_proxyCount = 0;
  m_isSensor: boolean;
  readonly m_friction: number;
  readonly m_restitution: number;
  readonly m_density: number;
  readonly m_filterGroupIndex: number;
  readonly m_filterCategoryBits: number;
  readonly m_filterMaskBits: number;
  readonly m_userData: unknown;
  override style = noStyle;
  override appData = noStyle;
  private knownReach = unknown;

  /** As planck's constructor, in each of its forms. */
  constructor(body: BodyNode, shapeOrDefinition: Shape | FixtureOpt, more?: FixtureOpt | number) {
    super();
    const { shape } = shapeOrDefinition as { readonly shape?: Shape };
    const whole = shape === undefined ? more : (shapeOrDefinition as FixtureOpt);
    const definition = typeof whole === 'number' ? { density: whole } : (whole ?? {});
    this.m_body = body;
    this.m_friction = definition.friction ?? 0.2;
    this.m_restitution = definition.restitution ?? 0;
    this.m_density = definition.density ?? 0;
    this.m_isSensor = definition.isSensor ?? false;
    this.m_filterGroupIndex = definition.filterGroupIndex ?? 0;
    this.m_filterCategoryBits = definition.filterCategoryBits ?? 1;
    this.m_filterMaskBits = definition.filterMaskBits ?? 65535;
    this.m_userData = definition.userData ?? null;
    this.m_shape = shape ?? (shapeOrDefinition as Shape);
    // A copy of a list of one has room for one, and nearly all have no more. V8 would make lists that are written out here old where most outlive a small
    // collection of garbage: a world that is given up would hang on them.
    this.m_proxies = room.slice() as FlatProxy[];
    this.m_proxies[0] = new LeafProxy(this, 0);
    for (let child = 1; child < this.m_shape.getChildCount(); child++) {
      this.m_proxies.push(new LeafProxy(this, child));
    }
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
