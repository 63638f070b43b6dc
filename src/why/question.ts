import { type AnyHandle, EntityHandle, type LoadedGame } from '../../engine/index.ts';
import { bindExpression, GameSource, parseExpression } from '../expression/index.ts';
import { postedQuestion } from './posted.ts';
import type { Question } from './reading.ts';

/** A source in which the caller can give entities additional names. */
export class NamedSource extends GameSource {
  constructor(
    game: LoadedGame,
    dialect: ConstructorParameters<typeof GameSource>[1],
    private readonly named: ReadonlyMap<string, string>,
    options: ConstructorParameters<typeof GameSource>[2],
  ) {
    super(game, dialect, options);
  }

  override entityNamed(name: string): AnyHandle | undefined {
    return super.entityNamed(this.named.get(name) ?? name);
  }

  /** Also names the selected unit of a named player: `alice.unit`. */
  override nameOf(entity: AnyHandle): string | undefined {
    for (const [name, id] of this.named) {
      if (id === entity.id) return name;
      const player = entity.kind === 'unit' ? super.entityNamed(id) : undefined;
      if (player?.kind === 'player' && player.unit?.id === entity.id) return `${name}.unit`;
    }
    return undefined;
  }

  override names(): readonly string[] {
    return [...this.named.keys(), ...super.names()];
  }
}

/** Parses an expression into a question. Throws `ExpressionError` for an invalid expression. */
export function questionOf(text: string, source: GameSource): Question {
  const node = parseExpression(text);
  if (node.kind === 'posted') return postedQuestion(text, node, source);
  const bound = bindExpression(text, source);
  const last = node.kind === 'path' ? node.members.at(-1) : undefined;
  // The part of the expression before the last member: `alice.unit` of `alice.unit.health`.
  const of = last === undefined ? undefined : bindExpression(text.slice(0, text.lastIndexOf('.', last.offset)), source);
  return {
    text,
    node,
    read: () => bound.value(),
    truth: () => bound.holds(),
    isCount: node.kind === 'count',
    subject() {
      const found = of?.value();
      return found instanceof EntityHandle && found.exists ? (found as AnyHandle) : undefined;
    },
    member: last?.text,
    parts() {
      const texts = bound.parts().map((part) => part.text);
      return texts.length === 1 && texts[0] === text.trim() ? [] : [...new Set(texts)];
    },
  };
}
