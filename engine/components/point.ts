import { f64, type Infer, record } from '../schema/index.ts';

/** A position on the map, px. */
export const point = record({ x: f64(), y: f64() });
export type Point = Infer<typeof point>;
