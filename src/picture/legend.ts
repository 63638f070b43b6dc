import { debrisColor } from './palette.ts';
import type { FigureKind, ImageLook, TypeLook } from './type-looks.ts';

/** The properties of an entity that the legend shows. */
export interface LegendFigure {
  readonly kind: FigureKind;
  /** The name of the entity's type. */
  readonly typeName: string;
  readonly look: TypeLook;
  readonly side: { readonly name: string; readonly color: string } | undefined;
}

/**
 * An entry of the legend. A `type` is drawn as a filled shape, a `side` as a coloured edge, and a `state` as a dashed
 * edge.
 */
export interface LegendEntry {
  readonly meaning: 'type' | 'side' | 'state';
  readonly text: string;
  /** A CSS colour: of the filling, or of the edge if the entry is a side. */
  readonly color: string;
  readonly isRound: boolean;
  /** For a type: the image that is drawn instead of the shape, if there is one. */
  readonly image?: ImageLook | undefined;
  /** The number of entities of the type; 0 for sides and states. */
  readonly count: number;
}

const kinds: readonly FigureKind[] = ['unit', 'item', 'projectile', 'debris'];
const altered: LegendEntry = {
  meaning: 'state',
  text: 'not in its initial state',
  color: debrisColor,
  isRound: false,
  count: 0,
};

/**
 * Collects the types and sides in a drawing, each once. The result does not depend on the order in which they are
 * added.
 */
export class Legend {
  private readonly types = new Map<string, LegendEntry & { readonly kind: FigureKind }>();
  private readonly sides = new Map<string, LegendEntry>();
  private hasAltered = false;

  add({ kind, typeName, look, side }: LegendFigure) {
    const { color, isRound, isAltered, image } = look;
    const key = `${kind} ${typeName} ${color}`;
    const before = this.types.get(key);
    this.types.set(key, {
      meaning: 'type',
      kind,
      text: typeName,
      color,
      isRound: before?.isRound ?? isRound,
      image,
      count: (before?.count ?? 0) + 1,
    });
    if (side !== undefined) {
      this.sides.set(side.name, { meaning: 'side', text: side.name, color: side.color, isRound: true, count: 0 });
    }
    this.hasAltered ||= isAltered && image === undefined;
  }

  /**
   * The entries in order: types by kind and name, then sides, then the symbol for states if an entity is not in its
   * first state.
   */
  entries(): readonly LegendEntry[] {
    const byText = (a: LegendEntry, b: LegendEntry) => (a.text < b.text ? -1 : 1);
    const types = [...this.types.values()].sort(
      (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || byText(a, b),
    );
    return [...types, ...[...this.sides.values()].sort(byText), ...(this.hasAltered ? [altered] : [])];
  }
}
