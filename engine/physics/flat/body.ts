import { Body, type BodyDef, type FixtureOpt, type Shape, type World } from '../planck/planck.ts';
import { at, type BodyTypeName, bodyTypes, staticType, stride } from './body-fields.ts';
import { type BodyStore, type RowOwner, unknownLeaf } from './body-store.ts';
import { FlatFixture } from './fixture.ts';
import type { BodyNode, EdgeNode } from './graph.ts';
import { RotationView, SweepView, VectorView } from './views.ts';

/** What a body needs of its world. */
export interface BodyHome {
  readonly bodies: BodyStore;
}

const {
  mass,
  inverseMass,
  inertia,
  inverseInertia,
  torque,
  angularVelocity,
  linearDamping,
  angularDamping,
  gravityScale,
  sleepTime,
} = at;

/**
 * A body of planck's whose numbers and flags are in the store of its world. planck's constructor writes its members by assignment, which
 * comes to the views; the first that it writes is the world, and with that the body takes its row.
 */
export class FlatBody extends Body implements BodyNode, RowOwner {
  declare row: number;
  /** The first number of its row in the store. */
  declare place: number;
  declare readonly m_contactList: EdgeNode | null;
  declare readonly m_fixtureList: FlatFixture | null;
  declare readonly m_next: FlatBody | null;
  declare readonly m_jointList: object | null;
  declare m_xf: { p: VectorView; q: RotationView };
  declare m_sweep: SweepView;
  declare m_force: VectorView;
  declare m_linearVelocity: VectorView;
  declare private store: BodyStore;
  declare private home: World & BodyHome;

  constructor(world: World & BodyHome, definition: BodyDef) {
    // planck's types hide the constructor, which its own `createBody` calls like this.
    super(...([world, definition] as unknown as []));
    const { numbers } = this.store;
    const { m_xf, m_sweep, m_force, m_linearVelocity, place } = this;
    numbers[place + at.x] = m_xf.p.x;
    numbers[place + at.y] = m_xf.p.y;
    numbers[place + at.sine] = m_xf.q.s;
    numbers[place + at.cosine] = m_xf.q.c;
    numbers[place + at.centreX] = m_sweep.c.x;
    numbers[place + at.centreY] = m_sweep.c.y;
    numbers[place + at.angle] = m_sweep.a;
    numbers[place + at.formerCentreX] = m_sweep.c0.x;
    numbers[place + at.formerCentreY] = m_sweep.c0.y;
    numbers[place + at.formerAngle] = m_sweep.a0;
    numbers[place + at.forceX] = m_force.x;
    numbers[place + at.forceY] = m_force.y;
    numbers[place + at.velocityX] = m_linearVelocity.x;
    numbers[place + at.velocityY] = m_linearVelocity.y;
    this.makeViews();
  }

  /** Makes the body a view of another row, which holds its numbers already. */
  moveTo(store: BodyStore, row: number): void {
    this.store = store;
    this.row = row;
    this.place = row * stride;
    this.makeViews();
  }

  private makeViews(): void {
    const { store, place } = this;
    this.m_xf.p = new VectorView(store, place + at.x);
    this.m_xf.q = new RotationView(store, place + at.sine);
    this.m_sweep = new SweepView(store, place);
    this.m_force = new VectorView(store, place + at.forceX);
    this.m_linearVelocity = new VectorView(store, place + at.velocityX);
  }

  forgetLeaf(): void {
    this.store.leaf[this.row] = unknownLeaf;
  }

  override createFixture(shape: Shape | FixtureOpt, definition?: FixtureOpt | number): FlatFixture {
    if (this.isWorldLocked()) return null as never;
    const fixture = new FlatFixture(this, shape as Shape, definition as FixtureOpt);
    const inside = this as unknown as { _addFixture(fixture: FlatFixture): void; m_world: World };
    inside._addFixture(fixture);
    this.forgetLeaf();
    inside.m_world.publish('add-fixture', fixture);
    return fixture;
  }

  override destroyFixture(fixture: FlatFixture): void {
    super.destroyFixture(fixture);
    this.forgetLeaf();
  }

  override resetMassData(): void {
    super.resetMassData();
    this.forgetReach();
  }

  override setMassData(data: Parameters<Body['setMassData']>[0]): void {
    super.setMassData(data);
    this.forgetReach();
  }

  /** Shapes reach from the centre of mass, which may have moved. */
  private forgetReach(): void {
    for (let fixture = this.m_fixtureList; fixture !== null; fixture = fixture.m_next) fixture.forgetReach();
  }

  // planck's members.

  get m_world(): World & BodyHome {
    return this.home;
  }

  set m_world(world: World & BodyHome) {
    this.home = world;
    this.store = world.bodies;
    this.row = world.bodies.add(this);
    this.place = this.row * stride;
  }

  get m_awakeFlag(): boolean {
    return this.store.awake[this.row] === 1;
  }

  set m_awakeFlag(isAwake: boolean) {
    this.store.setAwake(this.row, isAwake);
  }

  get m_autoSleepFlag(): boolean {
    return this.store.maySleep[this.row] === 1;
  }

  set m_autoSleepFlag(maySleep: boolean) {
    this.store.maySleep[this.row] = maySleep ? 1 : 0;
  }

  get m_bulletFlag(): boolean {
    return this.store.bullet[this.row] === 1;
  }

  set m_bulletFlag(isBullet: boolean) {
    this.store.bullet[this.row] = isBullet ? 1 : 0;
  }

  get m_fixedRotationFlag(): boolean {
    return this.store.fixedRotation[this.row] === 1;
  }

  set m_fixedRotationFlag(isFixed: boolean) {
    this.store.fixedRotation[this.row] = isFixed ? 1 : 0;
  }

  get m_activeFlag(): boolean {
    return this.store.active[this.row] === 1;
  }

  set m_activeFlag(isActive: boolean) {
    this.store.active[this.row] = isActive ? 1 : 0;
  }

  get m_type(): BodyTypeName {
    return bodyTypes[this.store.type[this.row]!]!;
  }

  set m_type(type: BodyTypeName) {
    this.store.setType(this.row, type);
  }

  get m_mass(): number {
    return this.store.numbers[this.place + mass]!;
  }

  set m_mass(value: number) {
    this.store.numbers[this.place + mass] = value;
  }

  get m_invMass(): number {
    return this.store.numbers[this.place + inverseMass]!;
  }

  set m_invMass(value: number) {
    this.store.numbers[this.place + inverseMass] = value;
  }

  get m_I(): number {
    return this.store.numbers[this.place + inertia]!;
  }

  set m_I(value: number) {
    this.store.numbers[this.place + inertia] = value;
  }

  get m_invI(): number {
    return this.store.numbers[this.place + inverseInertia]!;
  }

  set m_invI(value: number) {
    this.store.numbers[this.place + inverseInertia] = value;
  }

  get m_torque(): number {
    return this.store.numbers[this.place + torque]!;
  }

  set m_torque(value: number) {
    this.store.numbers[this.place + torque] = value;
  }

  get m_angularVelocity(): number {
    return this.store.numbers[this.place + angularVelocity]!;
  }

  set m_angularVelocity(value: number) {
    this.store.numbers[this.place + angularVelocity] = value;
  }

  get m_linearDamping(): number {
    return this.store.numbers[this.place + linearDamping]!;
  }

  set m_linearDamping(value: number) {
    this.store.numbers[this.place + linearDamping] = value;
  }

  get m_angularDamping(): number {
    return this.store.numbers[this.place + angularDamping]!;
  }

  set m_angularDamping(value: number) {
    this.store.numbers[this.place + angularDamping] = value;
  }

  get m_gravityScale(): number {
    return this.store.numbers[this.place + gravityScale]!;
  }

  set m_gravityScale(value: number) {
    this.store.numbers[this.place + gravityScale] = value;
  }

  get m_sleepTime(): number {
    return this.store.numbers[this.place + sleepTime]!;
  }

  set m_sleepTime(value: number) {
    this.store.numbers[this.place + sleepTime] = value;
  }

  // planck compares words; these are asked most.

  override isAwake(): boolean {
    return this.store.awake[this.row] === 1;
  }

  override isStatic(): boolean {
    return this.store.type[this.row] === staticType;
  }
}
