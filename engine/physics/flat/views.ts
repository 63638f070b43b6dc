import { Rot, Sweep, Transform, Vec2 } from '../planck/planck.ts';
import { at } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';

/**
 * planck's vectors, rotations, transforms and sweeps of a body, as views of its row. They have planck's prototypes behind them, for its methods; its
 * constructors are not called, because these would make members that hide the views.
 */

/** Two numbers in a row. */
export class VectorView {
  private store: BodyStore;
  private place: number;

  constructor(store: BodyStore, place: number) {
    this.store = store;
    this.place = place;
  }

  get x(): number {
    return this.store.numbers[this.place]!;
  }

  set x(value: number) {
    this.store.numbers[this.place] = value;
  }

  get y(): number {
    return this.store.numbers[this.place + 1]!;
  }

  set y(value: number) {
    this.store.numbers[this.place + 1] = value;
  }
}
Object.setPrototypeOf(VectorView.prototype, Vec2.prototype);

class RotationView {
  private store: BodyStore;
  private place: number;

  constructor(store: BodyStore, place: number) {
    this.store = store;
    this.place = place;
  }

  get s(): number {
    return this.store.numbers[this.place]!;
  }

  set s(value: number) {
    this.store.numbers[this.place] = value;
  }

  get c(): number {
    return this.store.numbers[this.place + 1]!;
  }

  set c(value: number) {
    this.store.numbers[this.place + 1] = value;
  }
}
Object.setPrototypeOf(RotationView.prototype, Rot.prototype);

export class TransformView {
  readonly p: VectorView;
  readonly q: RotationView;

  constructor(store: BodyStore, place: number) {
    this.p = new VectorView(store, place + at.x);
    this.q = new RotationView(store, place + at.sine);
  }
}
Object.setPrototypeOf(TransformView.prototype, Transform.prototype);

const { angle, formerAngle, formerFraction } = at;

export class SweepView {
  readonly localCenter: VectorView;
  readonly c: VectorView;
  readonly c0: VectorView;
  private store: BodyStore;
  private place: number;

  constructor(store: BodyStore, place: number) {
    this.store = store;
    this.place = place;
    this.localCenter = new VectorView(store, place + at.localCentreX);
    this.c = new VectorView(store, place + at.centreX);
    this.c0 = new VectorView(store, place + at.formerCentreX);
  }

  get a(): number {
    return this.store.numbers[this.place + angle]!;
  }

  set a(value: number) {
    this.store.numbers[this.place + angle] = value;
  }

  get a0(): number {
    return this.store.numbers[this.place + formerAngle]!;
  }

  set a0(value: number) {
    this.store.numbers[this.place + formerAngle] = value;
  }

  get alpha0(): number {
    return this.store.numbers[this.place + formerFraction]!;
  }

  set alpha0(value: number) {
    this.store.numbers[this.place + formerFraction] = value;
  }
}
Object.setPrototypeOf(SweepView.prototype, Sweep.prototype);
