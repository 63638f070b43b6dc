import type { Definition } from '../../engine/index.ts';
import { areImagesAllowed } from './images.ts';
import type { Figure, FigureKind } from './scene.ts';

/** Colours that are distinct on light and on dark, for types whose definition names no colour. */
const palette = ['#3b82f6', '#e5484d', '#2f9e62', '#d18700', '#9866dd', '#1299ac', '#dd5596', '#a0643c'];
const barColor = '#2f9e62';
const colorPattern = /^(#[0-9a-f]{3,8}|[a-z]{3,24}|(rgb|hsl)a?\([\d\s.,%/]+\))$/i;
/** Attributes shown at one of these places are bars above a unit. */
const isBarPlace = (place: string): boolean => place === 'everywhere' || place.startsWith('unitBar');

/** Colours of what belongs to no player. */
export const kindColors = { item: '#d1a000', projectile: '#f0772b', debris: '#7d8896' } as const;

/** Colours of edges: of the second state of a type, the third, and so on. */
const stateColors = ['#e08a00', '#c22fb0', '#0a9aa8', '#7a4ff0', '#3f9d2f', '#d63a3a'] as const;

/** The part of a figure that follows from its type and its state. */
export type Appearance = Pick<Figure, 'isRound' | 'edge' | 'image'>;
const plain: Appearance = { isRound: false, edge: undefined, image: undefined };

export interface BarLook {
  readonly key: string;
  /** CSS. */
  readonly color: string;
}

/** How the entities of a definition are drawn: shapes, colours and bars. Images of a definition are never fetched. */
export class Looks {
  private readonly definition: Definition;
  private readonly colors = new Map<string, string>();
  private readonly bars = new Map<string, readonly BarLook[]>();
  private readonly appearances = new Map<string, Appearance>();
  private readonly hasImages = areImagesAllowed();

  constructor(definition: Definition) {
    this.definition = definition;
  }

  /** Shape, edge and picture of a type in a state. */
  appearance(kind: FigureKind, type: string | undefined, state: string | null | undefined): Appearance {
    if (type === undefined || kind === 'debris') return plain;
    const key = `${kind} ${type} ${state ?? ''}`;
    let known = this.appearances.get(key);
    if (known === undefined) {
      known = this.appearanceOf(kind, type, state ?? '');
      this.appearances.set(key, known);
    }
    return known;
  }

  private appearanceOf(kind: Exclude<FigureKind, 'debris'>, typeKey: string, stateKey: string): Appearance {
    const { unitTypes, itemTypes, projectileTypes } = this.definition;
    const type = (kind === 'unit' ? unitTypes : kind === 'item' ? itemTypes : projectileTypes).get(typeKey);
    if (type === undefined) return plain;
    const state = type.states.get(stateKey);
    const index = [...type.states.keys()].indexOf(stateKey);
    const { url = '', rowCount = 1, columnCount = 1 } = type.cellSheet ?? {};
    const [columns, rows] = [Math.max(1, columnCount), Math.max(1, rowCount)];
    const frame = type.animations.get(state?.animation ?? '')?.frames[0] ?? 1;
    const cell = Math.min(columns * rows, Math.max(1, frame)) - 1;
    return {
      isRound: type.bodies.get(state?.body ?? '')?.fixtures[0]?.shape.type === 'circle',
      edge: index > 0 ? stateColors[(index - 1) % stateColors.length] : undefined,
      image: this.hasImages && url !== '' ? { url, columns, rows, cell } : undefined,
    };
  }

  /** The colour of a player type is that of its units; without an owner, each type of unit has its own. */
  unitColor(playerType: string | undefined, unitType: string | undefined): string {
    const key = playerType === undefined ? `unit ${unitType}` : `player ${playerType}`;
    let color = this.colors.get(key);
    if (color === undefined) {
      const given = playerType === undefined ? undefined : this.definition.playerTypes.get(playerType)?.color;
      color = colorOr(given, palette[this.colors.size % palette.length]!);
      this.colors.set(key, color);
    }
    return color;
  }

  /** Attributes that the game shows above units of a type. */
  barsOf(unitType: string | undefined): readonly BarLook[] {
    if (unitType === undefined) return [];
    let bars = this.bars.get(unitType);
    if (bars === undefined) {
      bars = [...(this.definition.unitTypes.get(unitType)?.attributes ?? [])]
        .filter(([, { isVisible }]) => isVisible.some(isBarPlace))
        .map(([key, { color }]) => ({ key, color: colorOr(color, barColor) }));
      this.bars.set(unitType, bars);
    }
    return bars;
  }
}

/** Between 0 and 1: how much of its range a value is. */
export function shareOf(value: number, min: number, max: number): number {
  const share = max > min && Number.isFinite(max - min) ? (value - min) / (max - min) : 0;
  return Math.min(1, Math.max(0, share));
}

/** A colour that a game names, where it is the name or the number of one. */
export function colorOr(given: unknown, otherwise: string): string {
  return typeof given === 'string' && colorPattern.test(given) ? given : otherwise;
}
