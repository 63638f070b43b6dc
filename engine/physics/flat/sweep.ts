import { cos, sin } from '../../core/dmath.ts';
import { Sweep, type TransformValue } from '../planck.ts';
import { at, stride } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';

/**
 * The movement of a body during a step, for planck's time of impact, with sines and cosines that are the same on every
 * JavaScript engine.
 */
export class ExactSweep extends Sweep {
  read({ numbers: n }: BodyStore, row: number): void {
    const i = row * stride;
    this.localCenter.x = n[i + at.localCentreX]!;
    this.localCenter.y = n[i + at.localCentreY]!;
    this.c.x = n[i + at.centreX]!;
    this.c.y = n[i + at.centreY]!;
    this.a = n[i + at.angle]!;
    this.alpha0 = n[i + at.formerFraction]!;
    this.c0.x = n[i + at.formerCentreX]!;
    this.c0.y = n[i + at.formerCentreY]!;
    this.a0 = n[i + at.formerAngle]!;
  }

  override getTransform({ p, q }: TransformValue, fraction = 0): void {
    const { localCenter, c, c0 } = this;
    const angle = (1 - fraction) * this.a0 + fraction * this.a;
    const cosine = cos(angle);
    const sine = sin(angle);
    q.c = cosine;
    q.s = sine;
    p.x = (1 - fraction) * c0.x + fraction * c.x - (cosine * localCenter.x - sine * localCenter.y);
    p.y = (1 - fraction) * c0.y + fraction * c.y - (sine * localCenter.x + cosine * localCenter.y);
  }
}
