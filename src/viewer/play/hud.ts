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
export interface Bearer {
  readonly type: { readonly key: string } | undefined;
  attribute(key: string): Level | undefined;
}

export interface Scorer extends Bearer {
  readonly id: string;
  readonly name: string;
}

/** What a game shows to its player, as plain data, which a worker can send to its page. */
export interface HudContent {
  readonly bars: readonly Markup[];
  /** The places of the scoreboard, and whether the player is alone. */
  readonly scores: readonly Markup[];
  /** What the scoreboard counts: the name of its attribute. */
  readonly counts: string;
}

/** The bars and the scoreboard of a game on the screen. */
export class Hud {
  readonly bars = element('div.hud-bars');
  readonly scores = element('ol.hud-scores', { 'aria-label': 'Scoreboard' });

  show({ bars, scores, counts }: HudContent) {
    patchChildren(this.bars, bars.map(nodeOf));
    patchChildren(this.scores, scores.map(nodeOf));
    // The style shows the attribute as a heading.
    this.scores.dataset['counts'] = counts;
  }
}

/** The name of a player type, if types of the game are hostile to others; otherwise empty. */
export function teamOf({ playerTypes }: Definition, own = ''): string {
  const all = [...playerTypes.values()];
  const areHostile = all.some(({ relationships }) => [...relationships.values()].includes('hostile'));
  return (areHostile && playerTypes.get(own)?.name) || '';
}

/**
 * Bars for the attributes of the player and of the own unit that the game displays in `centerBar`, and the best players
 * by the attribute that the game names, if it has a scoreboard.
 */
export function hudContent(
  definition: Definition,
  own: Scorer | undefined,
  unit: Bearer | undefined,
  players: readonly Scorer[],
): HudContent {
  const { settings, playerTypes, unitTypes } = definition;
  const { scoreAttributeId, persistentScoreAttributeId, displayScoreboard } = settings;
  const scoreKey = displayScoreboard === false ? undefined : (scoreAttributeId ?? persistentScoreAttributeId);
  const barsOf = (types: typeof playerTypes | typeof unitTypes, bearer: Bearer | undefined): Markup[] =>
    [...(types.get(bearer?.type?.key ?? '')?.attributes ?? [])].flatMap(
      ([key, { name, isVisible, color, decimalPlaces }]) => {
        const level = bearer?.attribute(key);
        const isShown = isVisible.some((place) => place === 'everywhere' || place === 'centerBar');
        if (level === undefined || !isShown || key === scoreKey) return [];
        return [bar(name?.trim() || key, level, colorOr(color, barColor), decimalPlaces)];
      },
    );
  const scored = players.flatMap((player) => {
    const { value } = (scoreKey !== undefined && player.attribute(scoreKey)) || {};
    return value === undefined ? [] : [{ player, value }];
  });
  const scores = scored
    .sort((a, b) => b.value - a.value)
    .flatMap(({ player: { id, name }, value }, i, all) => {
      const isOwn = id === own?.id;
      if (i >= placesMax && !isOwn) return [];
      // Scores that look equal have the same place.
      const place = all.findIndex((each) => whole(each.value) === whole(value)) + 1;
      const text = `${place} ${isOwn ? `You (${name})` : name}`;
      return [markup('li', { class: isOwn && 'own' }, markup('span', text), markup('b', whole(value)))];
    });
  if (own !== undefined && players.length === 1) scores.push(markup('li.alone', 'Nobody else plays here now.'));
  const [counts = ''] = [...playerTypes.values()].flatMap(
    ({ attributes }) => attributes.get(scoreKey ?? '')?.name ?? [],
  );
  const team = markup('b.team', teamOf(definition, own?.type?.key));
  return { bars: [team, ...barsOf(unitTypes, unit), ...barsOf(playerTypes, own)], scores, counts };
}

function bar(name: string, { value, min, max }: Level, color: string, decimals = 0): Markup {
  const label = `${name} ${value.toFixed(Math.min(6, decimals))}`;
  const share = Math.round(shareOf(value, min, max) * 100);
  return markup(
    'div.hud-bar',
    {
      role: 'meter',
      'aria-label': name,
      'aria-valuenow': value,
      'aria-valuemin': min,
      'aria-valuemax': max,
    },
    markup('i', { style: `width:${share}%` }, markup('i', { style: `background:${color}` })),
    markup('span', max < toldMax ? `${label} / ${whole(max)}` : label),
  );
}

function whole(value: number) {
  return String(Math.round(value));
}
