import { epsilon } from './settings.ts';

/**
 * A ray from (x1, y1) to (x2, y2), prepared for comparisons with boxes. The arithmetic is planck's: which shape is hit
 * first can depend on it.
 */
export class RayPath {
  /** The box around the ray: left, top, right and bottom. */
  readonly box = new Float64Array(4);
  private x1 = 0;
  private y1 = 0;
  private acrossX = 0;
  private acrossY = 0;

  set(x1: number, y1: number, x2: number, y2: number): void {
    let x = x2 - x1;
    let y = y2 - y1;
    const length = Math.sqrt(x * x + y * y);
    if (length >= epsilon) {
      const inverse = 1 / length;
      x *= inverse;
      y *= inverse;
    }
    this.x1 = x1;
    this.y1 = y1;
    this.acrossX = -1 * y;
    this.acrossY = 1 * x;
    this.box.set([Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)]);
  }

  /** Whether the ray may hit the box whose four numbers start at `boxes[i]`. */
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
