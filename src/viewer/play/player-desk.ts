import type { Stage } from '../drawing/stage.ts';
import { element, setText } from '../parts/element.ts';
import { signOf } from '../parts/key-help.ts';
import { gameKey, pressedFor } from '../parts/own-keys.ts';
import type { KeyBindings } from '../parts/view-keys.ts';
import type { Action } from './actions.ts';
import { ChatBox } from './chat-box.ts';
import { clickedElement, gameElement } from './game-html.ts';
import { Hud } from './hud.ts';
import { isTouched } from './intro.ts';
import { Pad } from './pad.ts';
import { type ControlInput, PlayerControls } from './player-controls.ts';
import type { PlayerEvent, PlayerInput } from './player-input.ts';
import type { ShopView } from './shop-view.ts';
import { Slots } from './slots.ts';
import { type WindowInput, Windows } from './windows.ts';

/** An input of the person who plays. */
export type DeskInput = ControlInput | WindowInput | Extract<PlayerInput, { kind: 'swapItems' }>;

interface DeskPorts {
  readonly send: (input: DeskInput) => void;
  /** Sends a chat message and returns its sequence number; if undefined, there is no input field. */
  readonly say: ((text: string) => number) | undefined;
  readonly shopOf: (event: PlayerEvent) => ShopView | undefined;
  /** Whether a person plays, so that keys belong to the game. */
  readonly isPlaying: () => boolean;
  /** Whether a dialog of the page is open. */
  readonly isAsking: () => boolean;
  readonly gameKeys: ReadonlySet<string>;
  /** The current keys of the page. */
  readonly pageKeys: () => KeyBindings;
}

interface OwnUnit {
  readonly id: string;
  /** The name of its type. */
  readonly kind: string;
}

/**
 * Everything that a page offers to the person who plays: keys, touch controls, slots, chat, windows, and the texts of
 * the game on the map.
 */
export class PlayerDesk {
  readonly controls: PlayerControls;
  readonly pad: Pad;
  readonly slots: Slots;
  readonly chat: ChatBox;
  readonly windows: Windows;
  readonly areas = element('div.areas');
  readonly hud = new Hud();
  /** Says why the player cannot act. */
  readonly hint = element('output.hint');
  /** The unit that the player has, or had last. */
  private own: OwnUnit | undefined;
  /** Who has just hit the own unit; empty if nobody has. */
  private hitBy = '';
  /** The bars, slots, scores and chat. */
  readonly deck: HTMLElement;
  private shownAreas: ReadonlyMap<string, { readonly html: string; readonly element: HTMLElement }> = new Map();

  constructor(
    private readonly stage: Stage,
    private readonly ports: DeskPorts,
  ) {
    const { send } = ports;
    this.controls = new PlayerControls(send);
    this.pad = new Pad(this.controls);
    this.slots = new Slots({
      select: (slot) => {
        this.controls.keyDown(String(slot + 1));
        this.controls.keyUp(String(slot + 1));
      },
      swap: (from, to) => send({ kind: 'swapItems', from, to }),
    });
    this.chat = new ChatBox(ports.say, () => stage.canvas.focus());
    this.windows = new Windows(ports.shopOf, send);
    this.deck = element(
      'section.deck',
      { 'aria-label': 'Your player' },
      ports.say !== undefined && element('div.gear', this.hint, this.hud.bars, this.slots.root),
      element('div.corner', this.hud.scores, this.chat.root),
    );
    this.areas.addEventListener('click', (event) => {
      const id = clickedElement(event);
      if (id !== undefined) send({ kind: 'htmlClick', element: { id } });
    });
  }

  /** Listens to keys until the signal is aborted. */
  listen(signal: AbortSignal) {
    document.addEventListener('keydown', (event) => this.key(event, true), { signal });
    document.addEventListener('keyup', (event) => this.key(event, false), { signal });
    // The keys are released on `resize`, too, because the controls move when a phone is turned.
    for (const event of ['blur', 'resize']) addEventListener(event, () => this.controls.releaseAll(), { signal });
    document.addEventListener('visibilitychange', () => this.controls.releaseAll(), { signal });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.stage.recolor(), { signal });
  }

  /**
   * Says why the player cannot act: there is no unit, or what it holds cannot be used (`shortage`). Call it regularly,
   * so that it knows the unit that is lost.
   */
  tell(own: OwnUnit | undefined, shortage: string, actions: readonly Action[]) {
    const { own: lost, hitBy } = this;
    if (own !== undefined) {
      this.own = own;
      this.hitBy = '';
      const reload = actions.find(({ name }) => shortage.endsWith('empty.') && /^reload/i.test(name));
      const where = reload === undefined || isTouched() ? 'Press' : `${signOf(pressedFor(reload.key))}:`;
      const how = reload === undefined ? '' : ` ${where} ${reload.name}`;
      setText(this.hint, `${shortage}${how}`);
    } else {
      const why =
        lost === undefined
          ? 'You have no unit yet, so there is nothing to steer.'
          : `Your ${lost.kind} is gone${hitBy && `: ${hitBy} hit it last`}. You can watch.`;
      setText(this.hint, `${why} You play as soon as the game gives you a unit.`);
    }
  }

  /** Shows an event of the game in its window or in the chat, or zooms. `from`: the name of who wrote it. */
  receive(event: PlayerEvent, from = '') {
    const { kind, op, text, playerId, zoom, entityId, attackerId } = event;
    const attacker = entityId === this.own?.id && this.stage.find(String(attackerId));
    if (attacker) this.hitBy = attacker.name || attacker.typeName;
    if (kind === 'camera' && typeof zoom === 'number') this.stage.camera.see(zoom);
    if (kind === 'chat' && typeof text === 'string') {
      if (op === 'player') this.chat.add(from, text);
      else if (op === 'system' && playerId) this.chat.tell(text);
      else if (op === 'system') this.chat.add('', text);
    }
    const wasOpen = this.windows.isOpen;
    this.windows.receive(event);
    if (!wasOpen && this.windows.isOpen) this.controls.releaseAll();
  }

  /**
   * Shows the game's text areas on the map. Unchanged ones are kept, including what the player has typed or opened in
   * them.
   */
  showAreas(texts: readonly (readonly [area: string, html: string])[]) {
    const shown = texts.map(([area, html]) => {
      const before = this.shownAreas.get(area);
      if (before?.html === html) return [area, before] as const;
      const made = gameElement(html);
      made.classList.add('area');
      made.dataset['area'] = area;
      return [area, { html, element: made }] as const;
    });
    this.shownAreas = new Map(shown);
    for (const child of [...this.areas.children]) {
      if (!shown.some(([, { element: kept }]) => kept === child)) child.remove();
    }
    // Restores the order. Elements that are already in the right position are not moved, because moving would reset
    // them.
    shown.forEach(([, { element: kept }], i) => {
      if (this.areas.children[i] !== kept) this.areas.insertBefore(kept, this.areas.children[i] ?? null);
    });
  }

  private key(event: KeyboardEvent, isDown: boolean) {
    const { stage, controls, ports } = this;
    const { target, key, ctrlKey, metaKey, altKey } = event;
    const name = gameKey(event);
    if (!isDown && name !== undefined) controls.keyUp(name);
    if (!isDown || ctrlKey || metaKey || altKey || this.windows.isOpen || ports.isAsking()) return;
    if (target instanceof HTMLElement && target.closest('input,textarea,dialog,.cm-editor') !== null) {
      if (key === 'Escape' && target instanceof HTMLInputElement) stage.canvas.focus();
      // A focused time slider does not use letter keys, so they go to the game.
      if (!(target instanceof HTMLInputElement && target.type === 'range')) return;
    }
    // Buttons and lists handle these keys themselves.
    const isOfElement = target instanceof HTMLElement && target !== stage.canvas && target !== document.body;
    if (isOfElement && (key === ' ' || key === 'Enter' || key.startsWith('Arrow'))) return;
    if (ports.isPlaying() && name !== undefined && ports.gameKeys.has(name)) {
      event.preventDefault();
      if (!event.repeat) controls.keyDown(name);
      return;
    }
    const run = ports.pageKeys()[key]?.run;
    if (run === undefined) return;
    event.preventDefault();
    run(event);
  }
}
