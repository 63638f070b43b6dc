import { cached } from '../../../engine/core/index.ts';
import type { Definition } from '../../../engine/index.ts';
import { colorOr, type FigureKind, TypeLooks } from '../../picture/index.ts';
import { isFileAllowed } from './images.ts';
import type { Figure } from './scene.ts';

export const barColor = '#2f9e62';
/** Whether an attribute shown in this place appears as a bar above its unit. */
const isBarPlace = (place: string) => place === 'everywhere' || place.startsWith('unitBar');

/** A figure without its id and its place. What does not depend on its type and state has the usual values. */
type Appearance = Omit<Figure, 'id' | 'x' | 'y' | 'angle' | 'width' | 'height'>;

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
    this.types = new TypeLooks(definition, (url) => isFileAllowed('image', url));
  }

  /** The colour, shape and image of a type in a state. */
  appearance(kind: FigureKind, type: string | undefined, givenState: string | null | undefined): Appearance {
    const [typeKey, state] = [type ?? '', givenState ?? ''];
    const key = `${kind} ${typeKey} ${state}`;
    return cached(this.appearances, key, () => {
      const look = this.types.of(kind, type, state);
      const typeName = this.types.nameOf(kind, type);
      return { kind, typeKey, typeName, state, look, side: undefined, name: '', isTranslucent: false, bars: [] };
    });
  }

  /** The attributes that the game shows as bars above units of a type. */
  barsOf(unitType: string | undefined): readonly BarLook[] {
    if (unitType === undefined) return [];
    return cached(this.bars, unitType, () =>
      [...(this.definition.unitTypes.get(unitType)?.attributes ?? [])]
        .filter(([, { isVisible }]) => isVisible.some(isBarPlace))
        .map(([key, { color }]) => ({ key, color: colorOr(color, barColor) })),
    );
  }
}

/** The position of a value within its range, from 0 to 1. */
export function shareOf(value: number, min: number, max: number): number {
  const share = max > min && Number.isFinite(max - min) ? (value - min) / (max - min) : 0;
  return Math.min(1, Math.max(0, share));
}
