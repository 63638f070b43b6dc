import type { FloorLayer, LegendFigure } from '../../picture/index.ts';
import type { ImageLook } from './images.ts';

/**
 * Everything that the stage draws, as plain data, so that it can come from a simulation, a journal or a connection to a
 * room. World pixels; angles in radians (0 up, clockwise); y down. Positions are centres, except for regions (corners).
 */
export interface Scene {
  readonly ground: Ground;
  readonly regions: readonly SceneArea[];
  /** Sensor radii of units. */
  readonly sensors: readonly Circle[];
  /** In drawing order: the last is on top. */
  readonly figures: readonly Figure[];
  /** Floating texts. */
  readonly texts: readonly FloatingText[];
  readonly lines: readonly Line[];
}

/** What a stage can hide. */
export const layers = {
  floor: 'Floor tiles',
  items: 'Items',
  names: 'Names',
  hits: 'Damage and healing',
  shots: 'Shots and rays',
  sensors: 'Sensor radii',
  ai: 'AI: targets and paths',
} as const;
export type Layer = keyof typeof layers;

/** Where a shot goes, or where an AI wants to go. */
export interface Line {
  readonly layer: Layer;
  /** Corners: x, y, x, y … */
  readonly points: readonly number[];
}

/** The map. Stays the same object until it changes, so that its drawing can be cached. */
export interface Ground {
  readonly columns: number;
  readonly rows: number;
  /** px. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** Whether each cell is a wall, row by row. */
  readonly walls: readonly boolean[];
  readonly floor: readonly FloorLayer[];
  /** The images of all tiles, walls too, cell by cell of each layer; undefined where the page may not load it. */
  readonly images?: readonly (readonly (TileImage | undefined)[])[];
}

/** A part of an image, in its pixels. */
export interface TileImage {
  readonly url: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface SceneArea {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface FloatingText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** CSS. */
  readonly color: string;
  /** Falls from 1 to 0. */
  readonly strength: number;
  /** Hidden with this layer. */
  readonly layer?: Layer;
}

export interface Figure extends LegendFigure {
  readonly id: string;
  readonly typeKey: string;
  /** The key of its state; empty if it has none. */
  readonly state: string;
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly width: number;
  readonly height: number;
  /** Where a unit holds it: px from its centre, y ahead, turned by degrees. */
  readonly anchor?: { readonly x: number; readonly y: number; readonly rotation?: number | undefined } | undefined;
  /** Drawn instead of the colour once it is loaded. */
  readonly image: ImageLook | undefined;
  /** Empty if it has none. */
  readonly name: string;
  /** How to call it where there is room: units without a name have their id. */
  readonly tag?: string;
  /** Hidden from players or without a body: drawn transparently. */
  readonly isTranslucent: boolean;
  readonly bars: readonly Bar[];
}

/** An attribute bar above a figure. */
export interface Bar {
  readonly key: string;
  /** 0 to 1. */
  readonly share: number;
  /** CSS. */
  readonly color: string;
}

/** Farther moves within a tick, in pixels, are jumps. */
const movedMax = 200;

/** A scene between two ticks: figures are where they were at a share of the way. */
export function between(before: Scene, now: Scene, share: number): Scene {
  const known = new Map(before.figures.map((figure) => [figure.id, figure]));
  const at = (from: number, to: number): number => from + (to - from) * share;
  return {
    ...now,
    sensors: now.sensors.map((sensor, i) => {
      const from = before.sensors.length === now.sensors.length ? before.sensors[i]! : sensor;
      return { ...sensor, x: at(from.x, sensor.x), y: at(from.y, sensor.y) };
    }),
    figures: now.figures.map((figure) => {
      const from = known.get(figure.id);
      if (from === undefined || Math.hypot(figure.x - from.x, figure.y - from.y) > movedMax) return figure;
      const turn = figure.angle - from.angle;
      const angle = figure.angle - Math.atan2(Math.sin(turn), Math.cos(turn)) * (1 - share);
      return { ...figure, x: at(from.x, figure.x), y: at(from.y, figure.y), angle };
    }),
  };
}

/** The topmost figure at a position, with a tolerance in pixels for fingers; undefined if there is none. */
export function figureAt(scene: Scene, x: number, y: number, margin: number): Figure | undefined {
  let best: Figure | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const figure of scene.figures) {
    const distance = distanceTo(figure, x, y);
    // Inside several figures the last one drawn wins, outside of all the nearest.
    if (distance > margin || distance > bestDistance) continue;
    best = figure;
    bestDistance = distance;
  }
  return best;
}

/** The distance in pixels to the edge of a figure; 0 inside. */
function distanceTo(figure: Figure, x: number, y: number): number {
  const [dx, dy] = [x - figure.x, y - figure.y];
  if (figure.look.isRound) return Math.max(0, Math.hypot(dx, dy) - figure.width / 2);
  const [cos, sin] = [Math.cos(figure.angle), Math.sin(figure.angle)];
  const across = Math.max(0, Math.abs(dx * cos + dy * sin) - figure.width / 2);
  const along = Math.max(0, Math.abs(dy * cos - dx * sin) - figure.height / 2);
  return Math.hypot(across, along);
}
