import { ClientData } from '../../components/client-data.ts';
import { Page } from '../../components/page.ts';
import { type Entity, Kind } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import { changesIn, fires, rule } from '../effects.ts';
import type { Game } from '../game.ts';

export const clientAnswers = rule(
  'answers of clients',
  ['customInput', 'htmlClick', 'data'],
  changesIn('player', 'answers'),
  fires('playerCustomInput', 'htmlUiClick', 'whenDataReceivedFromClient'),
);

export type UiTextOp = 'show' | 'hide' | 'update' | 'updateForTime';

interface UiText {
  readonly op: UiTextOp;
  /** The area of the screen: `top`, `center-lg`, `scoreboard` … */
  readonly target: string;
  /** The text of the area; undefined if the area is only shown or hidden. */
  readonly text?: string | undefined;
  /** How long clients show the text, in ms of real time; undefined for no limit. */
  readonly timeMs?: number | undefined;
  /** The player who sees the change; undefined for everyone. */
  readonly player?: Entity | undefined;
}

/**
 * Changes a text area of the screen. The text is the game's HTML, unescaped (see `htmlMembers`). Lasting texts for
 * everyone are stored for players who join later.
 */
export function showUiText({ world }: Game, { op, target, text, timeMs, player }: UiText): void {
  if (player === undefined && op === 'update' && text !== undefined) world.shown.uiTexts.set(target, text);
  world.post('ui.text', {
    op,
    target,
    ...(text !== undefined && { value: text }),
    ...(timeMs !== undefined && { timeMs }),
    to: player === undefined ? 'everyone' : { player },
  });
}

/**
 * Publishes to a new player what everyone else sees in the text areas. Must be called before the player's triggers
 * fire.
 */
export function replayUiTexts({ world }: Game, player: Entity): void {
  for (const [target, value] of world.shown.uiTexts)
    world.post('ui.text', { op: 'update', target, value, to: { player } });
}

/**
 * Changes the style sheet that scripts give to a player's page. Computer players have no page; a style sheet that grows
 * too long is refused with a fault.
 */
export function restylePage({ world }: Game, player: Entity, op: 'append' | 'replace', css: string): void {
  if (!world.isHuman(player)) return;
  const page = world.ensure(player, Page);
  const all = op === 'replace' || page.css === '' ? css : `${page.css}\n${css}`;
  if (all.length > world.limits.stringLength) {
    world.fault(
      'limit-string',
      `The style sheet of a player would have ${all.length} characters, which exceeds the limit.`,
    );
    return;
  }
  page.css = all;
  world.post('ui.style', { op, css, to: { player } });
}

/** Handles a player's answer to an input box, even if no box was shown (reference: players#client-messages). */
export function answerInput({ world }: Game, player: Entity, text: string): void {
  world.ensure(player, ClientData).answer = text;
  world.triggers.fireGlobal('playerCustomInput', payloadOf.player, player);
}

/** Handles a click on an element of the page; `element` is the client's description of it. */
export function clickElement({ world }: Game, player: Entity, element: unknown): void {
  world.ensure(player, ClientData).clicked = element;
  world.triggers.fireGlobal('htmlUiClick', payloadOf.player, player);
}

/**
 * Handles data from a player's client: flat, with primitive values only. Strings are stored unchanged; a host must
 * sanitise them before a browser shows them.
 */
export function receiveData({ world }: Game, player: Entity, data: unknown): void {
  if (!world.is(player, Kind.player) || data === null || typeof data !== 'object' || Array.isArray(data)) return;
  const kept = Object.entries(data).filter(
    ([, value]) => typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value),
  );
  world.ensure(player, ClientData).received = Object.fromEntries(kept);
  world.triggers.fireGlobal('whenDataReceivedFromClient', payloadOf.player, player);
}
