import { atan2, cos, sin } from '../../core/dmath.ts';
import { noStyle, withoutConstructor } from '../planck/bare.ts';
import { Body, type BodyDef, type FixtureOpt, type Shape, type Vec2, type Vec2Value, World } from '../planck/planck.ts';
import { at, type BodyTypeName, bodyTypes, staticType, stride } from './body-fields.ts';
import { type BodyStore, type RowOwner, unknownLeaf } from './body-store.ts';
import { FlatFixture } from './fixture.ts';
import type { BodyNode, EdgeNode } from './graph.ts';
import { SweepView, TransformView, VectorView } from './views.ts';

/** The part of its world that a body needs. */
interface BodyHome {
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

const sensor = { isSensor: true };
const solid = { isSensor: false };

const middle = Object.freeze({ x: 0, y: 0 });

/** Scratch of planck's own solver, which solves the islands at a time of impact. */
interface SolverScratch {
  readonly c_velocity: object;
  readonly c_position: object;
}
const scratch = new World().createBody() as unknown as SolverScratch;
const SolverVelocity = scratch.c_velocity.constructor as new () => object;
const SolverPosition = scratch.c_position.constructor as new () => object;

/**
 * A body of planck's whose numbers and flags are in the store of its world. It replaces planck's constructor, which copies its options twice and
 * makes vectors that the views replace. That counts where a snapshot brings thousands of bodies.
 */
export class FlatBody extends withoutConstructor(Body) implements BodyNode, RowOwner {
  row: number;
  /** The first number of its row in the store. */
  place: number;
  m_contactList: EdgeNode | null = null;
  m_fixtureList: FlatFixture | null = null;
  m_prev: FlatBody | null = null;
  m_next: FlatBody | null = null;
  readonly m_jointList: object | null = null;
  m_islandFlag = false;
  m_toiFlag = false;
  m_destroyed = false;
  m_userData: unknown;
  override style = noStyle;
  override appData = noStyle;
  readonly m_world: World & BodyHome;
  private store: BodyStore;
  private transform: TransformView | undefined;
  private sweep: SweepView | undefined;
  private force: VectorView | undefined;
  private velocity: VectorView | undefined;
  private solverVelocity: object | undefined;
  private solverPosition: object | undefined;

  /** Without a definition all its numbers are zeros, for a snapshot to fill. */
  constructor(world: World & BodyHome, definition?: BodyDef) {
    super();
    this.m_world = world;
    this.store = world.bodies;
    this.row = world.bodies.add(this);
    this.place = this.row * stride;
    this.m_userData = definition?.userData ?? null;
    if (definition === undefined) return;
    const { type = 'static', angle = 0, awake = true, allowSleep = true, active = true } = definition;
    this.m_awakeFlag = awake;
    this.m_autoSleepFlag = allowSleep;
    this.m_bulletFlag = definition.bullet ?? false;
    this.m_fixedRotationFlag = definition.fixedRotation ?? false;
    this.m_activeFlag = active;
    this.m_type = type;
    if (type === 'dynamic') {
      this.m_mass = 1;
      this.m_invMass = 1;
    }
    this.setOut(definition.position, angle);
    const { linearVelocity } = definition;
    if (linearVelocity !== undefined) (this.m_linearVelocity as unknown as Vec2).setVec2(linearVelocity);
    this.m_angularVelocity = definition.angularVelocity ?? 0;
    this.m_linearDamping = definition.linearDamping ?? 0;
    this.m_angularDamping = definition.angularDamping ?? 0;
    this.m_gravityScale = definition.gravityScale ?? 1;
  }

  /** Its only fixture, whose numbers and proxy are for a snapshot to fill. */
  giveFixture(shape: Shape, isSensor: boolean): void {
    this.m_fixtureList = new FlatFixture(this, shape, isSensor ? sensor : solid);
    this.m_fixtureList.m_proxyCount = 1;
  }

  /** As planck sets out its transform and its sweep, the centre of mass being in the middle still. */
  private setOut(position: Vec2Value | undefined, angle: number): void {
    const { numbers } = this.store;
    const { place } = this;
    const { x, y } = position ?? middle;
    const s = sin(angle);
    const c = cos(angle);
    const centreX = c * 0 - s * 0 + x;
    const centreY = s * 0 + c * 0 + y;
    const turn = atan2(s, c);
    numbers[place + at.x] = x;
    numbers[place + at.y] = y;
    numbers[place + at.sine] = s;
    numbers[place + at.cosine] = c;
    numbers[place + at.centreX] = centreX;
    numbers[place + at.centreY] = centreY;
    numbers[place + at.angle] = turn;
    numbers[place + at.formerCentreX] = centreX;
    numbers[place + at.formerCentreY] = centreY;
    numbers[place + at.formerAngle] = turn;
  }

  /** Makes the body a view of another row, which holds its numbers already. */
  moveTo(store: BodyStore, row: number): void {
    this.store = store;
    this.row = row;
    this.place = row * stride;
    this.transform = undefined;
    this.sweep = undefined;
    this.force = undefined;
    this.velocity = undefined;
  }

  // Views are made when somebody first asks: of the thousands of bodies that a snapshot brings, few are ever asked for all of them.

  get m_xf(): TransformView {
    this.transform ??= new TransformView(this.store, this.place);
    return this.transform;
  }

  get m_sweep(): SweepView {
    this.sweep ??= new SweepView(this.store, this.place);
    return this.sweep;
  }

  get m_force(): VectorView {
    this.force ??= new VectorView(this.store, this.place + at.forceX);
    return this.force;
  }

  get m_linearVelocity(): VectorView {
    this.velocity ??= new VectorView(this.store, this.place + at.velocityX);
    return this.velocity;
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

  get c_velocity(): object {
    this.solverVelocity ??= new SolverVelocity();
    return this.solverVelocity;
  }

  get c_position(): object {
    this.solverPosition ??= new SolverPosition();
    return this.solverPosition;
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
    this.store.setFlag('maySleep', this.row, maySleep);
  }

  get m_bulletFlag(): boolean {
    return this.store.bullet[this.row] === 1;
  }

  set m_bulletFlag(isBullet: boolean) {
    this.store.setFlag('bullet', this.row, isBullet);
  }

  get m_fixedRotationFlag(): boolean {
    return this.store.fixedRotation[this.row] === 1;
  }

  set m_fixedRotationFlag(isFixed: boolean) {
    this.store.setFlag('fixedRotation', this.row, isFixed);
  }

  get m_activeFlag(): boolean {
    return this.store.active[this.row] === 1;
  }

  set m_activeFlag(isActive: boolean) {
    this.store.setFlag('active', this.row, isActive);
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
