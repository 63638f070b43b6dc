import { ClientData } from '../../components/client-data.ts';
import { Page } from '../../components/page.ts';
import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import type { Game } from '../game.ts';

export type UiTextOp = 'show' | 'hide' | 'update' | 'updateForTime';

interface UiText {
  readonly op: UiTextOp;
  /** The area of the screen: `top`, `center-lg`, `scoreboard` … */
  readonly target: string;
  /** Undefined where only the area is shown or hidden. */
  readonly text?: string | undefined;
  /** Ms of real time for clients; undefined to stay. */
  readonly timeMs?: number | undefined;
  /** Undefined for everyone. */
  readonly player?: Entity | undefined;
}

/** Changes a text area; the text is HTML as the game has it (see `htmlMembers`). Lasting texts for everyone are kept for players who join later. */
export function showUiText(game: Game, { op, target, text, timeMs, player }: UiText): void {
  const { world } = game;
  if (player === undefined && op === 'update' && text !== undefined) world.shown.uiTexts.set(target, text);
  world.post('ui.text', {
    op,
    target,
    ...(text === undefined ? {} : { value: text }),
    ...(timeMs === undefined ? {} : { timeMs }),
    to: player === undefined ? 'everyone' : { player },
  });
}

/** To be called for a new player, before its triggers fire: publishes the texts that everyone else sees. */
export function replayUiTexts(game: Game, player: Entity): void {
  const { world } = game;
  for (const [target, value] of world.shown.uiTexts)
    world.post('ui.text', { op: 'update', target, value, to: { player } });
}

/** The style sheet that scripts give a player's page. Computer players have no page; a sheet that grows too long is refused with a fault. */
export function restylePage({ world }: Game, player: Entity, op: 'append' | 'replace', css: string): void {
  if (world.components.player[rowOf(player)]!.controlledBy !== 'human') return;
  const page = world.ensure(player, Page);
  const all = op === 'replace' || page.css === '' ? css : `${page.css}\n${css}`;
  if (all.length > world.limits.stringLength) {
    world.fault('limit-string', `The style sheet of a player would have ${all.length} characters.`);
    return;
  }
  page.css = all;
  world.post('ui.style', { op, css, to: { player } });
}

/** The answer to an input box; accepted even when none was asked for (reference: players#client-messages). */
export function answerInput({ world }: Game, player: Entity, text: string): void {
  world.ensure(player, ClientData).answer = text;
  world.triggers.fireGlobal('playerCustomInput', payloadOf.player, player);
}

/** A click on an element of the page; `element` is what the client says of it. */
export function clickElement({ world }: Game, player: Entity, element: unknown): void {
  world.ensure(player, ClientData).clicked = element;
  world.triggers.fireGlobal('htmlUiClick', payloadOf.player, player);
}

/** Data that a player's client sends: flat, and of plain values only. Texts are kept as they come; what shows them in a browser cleans them. */
export function receiveData(game: Game, player: Entity, data: unknown): void {
  const { world } = game;
  if (!world.is(player, Kind.player) || data === null || typeof data !== 'object' || Array.isArray(data)) return;
  const kept = Object.entries(data).filter(
    ([, value]) => typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value),
  );
  world.ensure(player, ClientData).received = Object.fromEntries(kept);
  world.triggers.fireGlobal('whenDataReceivedFromClient', payloadOf.player, player);
}
