import type { Definition } from '../../../engine/index.ts';
import { colorOr, type FigureKind, TypeLooks } from '../../picture/index.ts';
import { type ImageLook, isFileAllowed } from './images.ts';
import type { Figure } from './scene.ts';

export const barColor = '#2f9e62';
/** Whether an attribute shown in this place appears as a bar above its unit. */
const isBarPlace = (place: string): boolean => place === 'everywhere' || place.startsWith('unitBar');

/** The members of a figure that depend only on its type and state. */
type Appearance = Pick<Figure, 'typeKey' | 'state' | 'look' | 'image' | 'anchor'>;

interface BarLook {
  readonly key: string;
  /** A CSS colour. */
  readonly color: string;
}

/**
 * The appearance of the entities of a game on a page. It has the colours and shapes of pictures, and also attribute
 * bars, and images if the page may load them.
 */
export class Looks {
  readonly types: TypeLooks;
  private readonly bars = new Map<string, readonly BarLook[]>();
  private readonly appearances = new Map<string, Appearance>();

  constructor(private readonly definition: Definition) {
    this.types = new TypeLooks(definition);
  }

  /** The colour, shape and image of a type in a state. */
  appearance(kind: FigureKind, type: string | undefined, givenState: string | null | undefined): Appearance {
    const [typeKey, state] = [type ?? '', givenState ?? ''];
    const key = `${kind} ${typeKey} ${state}`;
    let known = this.appearances.get(key);
    if (known === undefined) {
      const given = this.types.typeOf(kind, typeKey);
      const { unitAnchor: anchor } = given?.bodies.get(given.states.get(state)?.body ?? '') ?? {};
      const image = this.imageOf(kind, typeKey, state);
      known = { typeKey, state, look: this.types.of(kind, type, state), image, anchor };
      this.appearances.set(key, known);
    }
    return known;
  }

  private imageOf(kind: FigureKind, typeKey: string, stateKey: string): ImageLook | undefined {
    const type = this.types.typeOf(kind, typeKey);
    const { url = '', rowCount = 1, columnCount = 1 } = type?.cellSheet ?? {};
    if (type === undefined || !isFileAllowed('image', url)) return undefined;
    const [columns, rows] = [Math.max(1, columnCount), Math.max(1, rowCount)];
    const { frames = [], framesPerSecond = 0 } = type.animations.get(type.states.get(stateKey)?.animation ?? '') ?? {};
    const cells = frames.filter((frame) => frame >= 1 && frame <= columns * rows);
    return {
      url,
      columns,
      rows,
      frames: cells.length > 0 ? cells : [1],
      framesPerSecond: Math.max(0, framesPerSecond),
    };
  }

  /** The attributes that the game shows as bars above units of a type. */
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

/** The position of a value within its range, from 0 to 1. */
export function shareOf(value: number, min: number, max: number): number {
  const share = max > min && Number.isFinite(max - min) ? (value - min) / (max - min) : 0;
  return Math.min(1, Math.max(0, share));
}
