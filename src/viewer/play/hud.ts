import type { Definition } from '../../../engine/index.ts';
import { colorOr } from '../../picture/index.ts';
import { barColor, shareOf } from '../drawing/looks.ts';
import { element, type Markup, markup, nodeOf } from '../parts/element.ts';
import { patchChildren } from '../parts/patch.ts';

const placesMax = 5;
/** An attribute with a larger maximum than this counts as unlimited, so its maximum is not shown. */
const toldMax = 1_000_000;

/** The value of an attribute with its bounds. */
interface Level {
  readonly value: number;
  readonly min: number;
  readonly max: number;
}

/** A unit or a player, as a client knows it. */
interface Bearer {
  readonly type: { readonly key: string } | undefined;
  attribute(key: string): Level | undefined;
}

interface Scorer extends Bearer {
  readonly id: string;
  readonly name: string;
}

/** The parts of the screen that a game shows to its player: bars of attributes, and the scoreboard. */
export class Hud {
  readonly bars = element('div', { class: 'hud-bars' });
  readonly scores = element('ol', { class: 'hud-scores', 'aria-label': 'Scoreboard' });
  /** The key of the attribute that the scoreboard shows; undefined if the game has no scoreboard. */
  private readonly scoreKey: string | undefined;

  constructor(private readonly definition: Definition) {
    const { scoreAttributeId, persistentScoreAttributeId, displayScoreboard } = definition.settings;
    this.scoreKey = displayScoreboard === false ? undefined : (scoreAttributeId ?? persistentScoreAttributeId);
  }

  /** Shows the attributes of the player and of the own unit that the game displays in `centerBar`. */
  showBars(player: Bearer | undefined, unit: Bearer | undefined): void {
    const { playerTypes, unitTypes } = this.definition;
    const barsOf = (types: typeof playerTypes | typeof unitTypes, bearer: Bearer | undefined): Markup[] =>
      [...(types.get(bearer?.type?.key ?? '')?.attributes ?? [])].flatMap(([key, { name, isVisible, color }]) => {
        const level = bearer?.attribute(key);
        const isShown = isVisible.some((place) => place === 'everywhere' || place === 'centerBar');
        if (level === undefined || !isShown || key === this.scoreKey) return [];
        return [bar(name?.trim() || key, level, colorOr(color, barColor))];
      });
    const bars = [...barsOf(unitTypes, unit), ...barsOf(playerTypes, player)];
    patchChildren(this.bars, bars.map(nodeOf));
  }

  /** Shows the best players by the attribute that the definition names, if it has a scoreboard. */
  showScores(players: readonly Scorer[], own: string | undefined): void {
    const key = this.scoreKey;
    if (key === undefined) return;
    const scored = players.flatMap((player) => {
      const { value } = player.attribute(key) ?? {};
      return value === undefined ? [] : [{ player, value }];
    });
    const places = scored.sort((a, b) => b.value - a.value);
    const rows = places.flatMap(({ player: { id, name }, value }, i) => {
      if (i >= placesMax && id !== own) return [];
      const text = `${i + 1} ${id === own ? 'You' : name}`;
      return [markup('li', { class: id === own && 'own' }, markup('span', {}, text), markup('b', {}, whole(value)))];
    });
    patchChildren(this.scores, rows.map(nodeOf));
  }
}

function bar(name: string, { value, min, max }: Level, color: string): Markup {
  const label = `${name} ${whole(value)}`;
  const share = Math.round(shareOf(value, min, max) * 100);
  return markup(
    'div',
    {
      class: 'hud-bar',
      role: 'meter',
      'aria-label': name,
      'aria-valuenow': value,
      'aria-valuemin': min,
      'aria-valuemax': max,
    },
    markup('i', { style: `width:${share}%` }, markup('i', { style: `background:${color}` })),
    markup('span', {}, max < toldMax ? `${label} / ${whole(max)}` : label),
  );
}

function whole(value: number): string {
  return String(Math.round(value));
}
