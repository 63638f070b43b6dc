import type { LegendFigure } from '../picture/legend.ts';
import type { ImageLook } from './images.ts';

/**
 * Everything that the stage draws. It is plain data, so that a simulation, a journal or a connection to a room can give it. World px,
 * radians (0 up, clockwise), y down; places are centres, those of regions corners.
 */
export interface Scene {
  readonly ground: Ground;
  readonly regions: readonly Area[];
  /** Circles in which units notice others. */
  readonly sensors: readonly Ring[];
  /** In the order of drawing: the last lies on top. */
  readonly figures: readonly Figure[];
  /** Texts that rise from places. */
  readonly notes: readonly Note[];
}

/** The map. The same object as long as it has not changed, so that its drawing can be kept. */
export interface Ground {
  readonly columns: number;
  readonly rows: number;
  /** px. */
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** One for each cell, row by row: whether it is a wall. */
  readonly walls: readonly boolean[];
}

export interface Area {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Ring {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface Note {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** CSS. */
  readonly color: string;
  /** 1 at first, 0 when it is gone. */
  readonly strength: number;
}

export interface Figure extends LegendFigure {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly width: number;
  readonly height: number;
  /** Drawn in place of the colour, once it is there. */
  readonly image: ImageLook | undefined;
  /** Empty for none. */
  readonly name: string;
  /** Hidden from players, or without a body: drawn faintly. */
  readonly isFaint: boolean;
  readonly bars: readonly Bar[];
}

/** An attribute above a figure. */
export interface Bar {
  readonly key: string;
  /** 0 to 1. */
  readonly share: number;
  /** CSS. */
  readonly color: string;
}

/** Index of the layer whose tiles are walls: of several of the name the last counts. -1 for none. */
export function wallLayerOf(layers: readonly { readonly name: string; readonly type: string }[]): number {
  return layers.findLastIndex(({ name, type }) => name === 'walls' && type === 'tilelayer');
}

/** The figure on top at a place, with a margin in px for fingers; undefined for none. */
export function figureAt(scene: Scene, x: number, y: number, margin: number): Figure | undefined {
  let best: Figure | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const figure of scene.figures) {
    const distance = distanceTo(figure, x, y);
    // Inside of several, the one drawn last; beside all, the nearest.
    if (distance > margin || distance > bestDistance) continue;
    best = figure;
    bestDistance = distance;
  }
  return best;
}

/** px from a place to the edge of a figure; 0 inside. */
function distanceTo(figure: Figure, x: number, y: number): number {
  const [dx, dy] = [x - figure.x, y - figure.y];
  if (figure.look.isRound) return Math.max(0, Math.hypot(dx, dy) - figure.width / 2);
  const [cos, sin] = [Math.cos(figure.angle), Math.sin(figure.angle)];
  const across = Math.max(0, Math.abs(dx * cos + dy * sin) - figure.width / 2);
  const along = Math.max(0, Math.abs(dy * cos - dx * sin) - figure.height / 2);
  return Math.hypot(across, along);
}
