import type { FloorLayer, LegendFigure, TileImage } from '../../picture/index.ts';

/**
 * Everything that the stage draws. Plain data, so that it can come from a simulation, a journal or a connection to a
 * room. Positions are in world pixels with y pointing down; angles are in radians, clockwise from up. Positions are
 * centres, except for regions, where they are the top left corners.
 */
export interface Scene {
  readonly ground: Ground;
  readonly regions: readonly SceneArea[];
  /** Circles that show the sensor radii of units. */
  readonly sensors: readonly Circle[];
  /** The figures in drawing order: the last one is on top. */
  readonly figures: readonly Figure[];
  /** The floating texts. */
  readonly texts: readonly FloatingText[];
  readonly lines: readonly Line[];
}

/** The layers that a stage can hide, with their labels. */
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

/** The path of a shot, or the path that an AI wants to take. */
export interface Line {
  readonly layer: Layer;
  /** The corners of the line in world pixels, as x, y, x, y, … */
  readonly points: readonly number[];
}

/** The map. It stays the same object until the map changes, so that its drawing can be cached. */
export interface Ground {
  readonly columns: number;
  readonly rows: number;
  /** The size of a cell in world pixels. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** Whether each cell is a wall, row by row. */
  readonly walls: readonly boolean[];
  readonly floor: readonly FloorLayer[];
  /** For each layer, the images of its cells, walls included; undefined for images that the page may not load. */
  readonly images?: readonly (readonly (TileImage | undefined)[])[];
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
  /** A CSS colour. */
  readonly color: string;
  /** The opacity, which falls from 1 to 0 while the text is shown. */
  readonly strength: number;
  /** The layer of the text, if it has one. While the layer is hidden, the text is not drawn. */
  readonly layer?: Layer;
}

export interface Figure extends LegendFigure {
  readonly id: string;
  readonly typeKey: string;
  /** The key of the entity's state; empty if it has none. */
  readonly state: string;
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  /** Where the sprite is drawn, if a tween moves it away from the entity. */
  readonly drawn?: { readonly x: number; readonly y: number; readonly angle: number };
  /** Whether the entity is mirrored horizontally, whether it was hit just now, and the health of a unit. */
  readonly isMirrored?: boolean;
  readonly isHit?: boolean;
  readonly health?: number | undefined;
  readonly width: number;
  readonly height: number;
  /** The name of the entity; empty if it has none. */
  readonly name: string;
  /**
   * A label for a figure without a name, such as the id of a unit. It is drawn only if it does not overlap other
   * labels.
   */
  readonly tag?: string;
  /** Whether the figure is drawn translucently, because the entity is hidden from players. */
  readonly isTranslucent: boolean;
  readonly bars: readonly Bar[];
}

/** An attribute bar above a figure. */
export interface Bar {
  readonly key: string;
  /** How full the bar is, from 0 to 1. */
  readonly share: number;
  /** A CSS colour. */
  readonly color: string;
}

/** A figure that moves farther than this within a tick, in world pixels, was teleported: it is not drawn in between. */
const movedMax = 200;

/** A scene between two ticks: figures are placed at `share` (0 to 1) of the way from the first to the second. */
export function between(before: Scene, now: Scene, share: number): Scene {
  const known = new Map(before.figures.map((figure) => [figure.id, figure]));
  const at = (from: number, to: number) => from + (to - from) * share;
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

/**
 * The topmost figure at a position, or else the nearest within `margin` world pixels, which makes figures easier to hit
 * with a finger; undefined if there is none.
 */
export function figureAt(scene: Scene, x: number, y: number, margin: number): Figure | undefined {
  let best: Figure | undefined;
  let bestDistance = Infinity;
  for (const figure of scene.figures) {
    const distance = distanceTo(figure, x, y);
    // Among figures that contain the position, the one drawn last wins; otherwise, the nearest wins.
    // A held item is drawn on its unit, which is what the user wants.
    const isOnBest = best?.kind === 'unit' && figure.kind === 'item' && distance === bestDistance;
    if (distance > margin || distance > bestDistance || isOnBest) continue;
    best = figure;
    bestDistance = distance;
  }
  return best;
}

/** The distance to the edge of a figure in world pixels; 0 inside. */
function distanceTo(figure: Figure, x: number, y: number) {
  const [dx, dy] = [x - figure.x, y - figure.y];
  if (figure.look.isRound) return Math.max(0, Math.hypot(dx, dy) - figure.width / 2);
  const [cos, sin] = [Math.cos(figure.angle), Math.sin(figure.angle)];
  const across = Math.max(0, Math.abs(dx * cos + dy * sin) - figure.width / 2);
  const along = Math.max(0, Math.abs(dy * cos - dx * sin) - figure.height / 2);
  return Math.hypot(across, along);
}
