/** The numbers that describe a step, as planck keeps them. */
export class Step {
  seconds = 0;
  perSecond = 0;
  /** The steps per second of the last step whose length was not 0. */
  formerPerSecond = 0;
  /** The length of this step divided by that of the previous step. Impulses are scaled by it. */
  ratio = 1;
  gravityX = 0;
  gravityY = 0;
  velocityIterations = 8;
  positionIterations = 3;
  /** Whether solving starts with the impulses of the last step. */
  warmStarting = true;

  reset(seconds: number): void {
    if (this.seconds > 0) this.formerPerSecond = this.perSecond;
    this.seconds = seconds;
    this.perSecond = seconds === 0 ? 0 : 1 / seconds;
    this.ratio = seconds * this.formerPerSecond;
  }
}
