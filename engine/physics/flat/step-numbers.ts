import { Settings, type TimeStep } from '../planck/planck.ts';

/** The numbers of a step: planck's step, the world's gravity and planck's settings. Filled once a step; numbers of an object would be boxed. */
export const StepNumber = {
  seconds: 0,
  gravityX: 1,
  gravityY: 2,
  translationMax: 3,
  translationMaxSquared: 4,
  rotationMax: 5,
  rotationMaxSquared: 6,
  velocityThreshold: 7,
  baumgarte: 8,
  linearSlop: 9,
  correctionMax: 10,
  linearToleranceSquared: 11,
  angularToleranceSquared: 12,
  secondsToSleep: 13,
  impulseRatio: 14,
} as const;

export class StepNumbers {
  readonly values = new Float64Array(Object.keys(StepNumber).length);
  velocityIterations = 0;
  positionIterations = 0;
  warmStarting = true;
  blockSolve = true;
  allowSleep = true;

  fill(step: TimeStep, gravity: { readonly x: number; readonly y: number }, allowSleep: boolean): void {
    const { values } = this;
    const unit = Settings.lengthUnitsPerMeter;
    values[StepNumber.seconds] = step.dt;
    values[StepNumber.gravityX] = gravity.x;
    values[StepNumber.gravityY] = gravity.y;
    values[StepNumber.translationMax] = Settings.maxTranslation * unit;
    values[StepNumber.translationMaxSquared] = Settings.maxTranslation * unit * Settings.maxTranslation * unit;
    values[StepNumber.rotationMax] = Settings.maxRotation;
    values[StepNumber.rotationMaxSquared] = Settings.maxRotation * Settings.maxRotation;
    values[StepNumber.velocityThreshold] = Settings.velocityThreshold * unit;
    values[StepNumber.baumgarte] = Settings.baumgarte;
    values[StepNumber.linearSlop] = Settings.linearSlop * unit;
    values[StepNumber.correctionMax] = Settings.maxLinearCorrection * unit;
    values[StepNumber.linearToleranceSquared] =
      Settings.linearSleepTolerance * unit * Settings.linearSleepTolerance * unit;
    values[StepNumber.angularToleranceSquared] = Settings.angularSleepTolerance * Settings.angularSleepTolerance;
    values[StepNumber.secondsToSleep] = Settings.timeToSleep;
    values[StepNumber.impulseRatio] = step.dtRatio;
    this.velocityIterations = step.velocityIterations;
    this.positionIterations = step.positionIterations;
    this.warmStarting = step.warmStarting;
    this.blockSolve = step.blockSolve;
    this.allowSleep = allowSleep;
  }
}
