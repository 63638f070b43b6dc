import { epsilon } from './settings.ts';

/** A ray from (x1, y1) to (x2, y2), as it is compared with boxes. The arithmetic is planck's: which shape is hit first can depend on it. */
export class RayPath {
  x1 = 0;
  y1 = 0;
  x2 = 0;
  y2 = 0;
  /** The part that is still of interest, as a fraction from the start. */
  fraction = 1;
  /** Left, top, right and bottom of that part. */
  readonly box = new Float64Array(4);
  private acrossX = 0;
  private acrossY = 0;

  set(x1: number, y1: number, x2: number, y2: number): void {
    this.x1 = x1;
    this.y1 = y1;
    this.x2 = x2;
    this.y2 = y2;
    let x = x2 - x1;
    let y = y2 - y1;
    const length = Math.sqrt(x * x + y * y);
    if (length >= epsilon) {
      const inverse = 1 / length;
      x *= inverse;
      y *= inverse;
    }
    this.acrossX = -1 * y;
    this.acrossY = 1 * x;
    this.cut(1);
  }

  /** Ends the ray at a fraction. */
  cut(fraction: number): void {
    const { x1, y1, box } = this;
    this.fraction = fraction;
    const endX = (1 - fraction) * x1 + fraction * this.x2;
    const endY = (1 - fraction) * y1 + fraction * this.y2;
    box[0] = Math.min(x1, endX);
    box[1] = Math.min(y1, endY);
    box[2] = Math.max(x1, endX);
    box[3] = Math.max(y1, endY);
  }

  /** Whether it may meet the box that starts at `boxes[i]`. */
  meets(boxes: Float64Array, i: number): boolean {
    const { box, acrossX, acrossY } = this;
    const left = boxes[i]!;
    const top = boxes[i + 1]!;
    const right = boxes[i + 2]!;
    const bottom = boxes[i + 3]!;
    if (left > box[2]! || top > box[3]! || box[0]! > right || box[1]! > bottom) return false;
    const away = acrossX * (this.x1 - (left + right) * 0.5) + acrossY * (this.y1 - (top + bottom) * 0.5);
    const extent = Math.abs(acrossX) * ((right - left) * 0.5) + Math.abs(acrossY) * ((bottom - top) * 0.5);
    return !(Math.abs(away) - extent > 0);
  }
}
