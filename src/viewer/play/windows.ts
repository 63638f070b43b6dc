import { element, formOf, setText, textButton } from '../parts/element.ts';
import { clickedElement, gameElement } from './game-html.ts';
import type { PlayerEvent, PlayerInput } from './player-input.ts';
import type { Offer, ShopView } from './shop-view.ts';

export type WindowInput = Extract<
  PlayerInput,
  { kind: 'htmlClick' | 'buyItem' | 'buyUnit' | 'dialogueOption' | 'customInput' }
>;

/** Texts for the results of a purchase. */
const purchaseTexts: Readonly<Record<string, string>> = {
  purchase: 'Bought.',
  no_shop: 'No shop is open.',
  no_unit: 'You need a unit to buy this.',
  not_sold: 'The shop does not sell this.',
  not_purchasable: 'This is not for sale.',
  not_for_this_unit: 'Units of your type cannot buy this.',
  requirement_not_met: 'You do not meet the requirements.',
  not_affordable: 'You cannot afford this.',
  cannot_carry: 'Your unit cannot carry this.',
  inventory_full: 'You have no room for this.',
};

/**
 * Windows that a game opens for its player: shops, dialogues, input boxes, texts. Only one is open at a time; a new one
 * replaces it.
 */
export class Windows {
  readonly root = element('dialog.window');
  private readonly status = element('output.soft', { 'aria-live': 'polite' });
  private kind = '';

  /** `shopOf` returns the offers of the shop that an event `ui.shop` opens. */
  constructor(
    private readonly shopOf: (event: PlayerEvent) => ShopView | undefined,
    private readonly send: (input: WindowInput) => void,
  ) {
    this.root.addEventListener('click', (event) => this.clicked(event));
  }

  get isOpen(): boolean {
    return this.root.open;
  }

  receive(event: PlayerEvent) {
    if (event.kind === 'ui.shop') this.shop(event);
    else if (event.kind === 'ui.dialogue') this.dialogue(event);
    else if (event.kind === 'ui.modal') this.modal(event);
  }

  close() {
    this.kind = '';
    this.root.close();
  }

  /** Opens a window with a title, which may be HTML of a game. */
  open(kind: string, title: string, isDismissible: boolean, ...content: readonly Node[]) {
    this.kind = kind;
    const heading = element('h2#window-title');
    heading.append(gameElement(title, 'span'));
    const close = textButton('✕', () => this.close(), { class: 'close', 'aria-label': 'Close' });
    setText(this.status, '');
    this.root.setAttribute('aria-labelledby', 'window-title');
    this.root.oncancel = (event) => {
      if (!isDismissible) event.preventDefault();
    };
    this.root.replaceChildren(element('header', heading, isDismissible && close), ...content, this.status);
    if (!this.root.open) this.root.showModal();
  }

  private shop(event: PlayerEvent) {
    const { op, result } = event;
    const isShown = this.kind === 'open' || this.kind === 'purchase';
    if (op === 'close' && isShown) this.close();
    const answer = op === 'response' ? (purchaseTexts[String(result)] ?? String(result)) : '';
    if (answer !== '') setText(this.status, answer);
    const shop = this.shopOf(event);
    // The answer to a purchase updates what the player can afford.
    if (shop === undefined || (op === 'response' && this.kind !== 'open')) return;
    const buttons = () => [...this.root.querySelectorAll('button')];
    const focused = buttons().indexOf(document.activeElement as HTMLButtonElement);
    const description = element('p.soft');
    description.append(gameElement(shop.description, 'span'));
    this.open(
      op === 'purchase' ? op : 'open',
      shop.name === '' ? 'Shop' : shop.name,
      true,
      element(
        'div',
        shop.description !== '' && description,
        shop.purse !== '' && element('p', `You have ${shop.purse}.`),
        element('ul.offers', ...shop.offers.map((offer) => this.offer(offer))),
        shop.offers.length === 0 && element('p', 'Nothing is for sale to you now.'),
      ),
    );
    setText(this.status, answer);
    buttons()[focused]?.focus();
  }

  /** A refused offer can still be pressed, because the player may afford it by now: then the engine decides anew. */
  private offer({ name, cost, about, refusal, input }: Offer) {
    const label = { 'aria-disabled': refusal !== undefined && 'true', 'aria-label': `Buy ${name}` };
    // The colour of the price shows what the player cannot afford, so that one sentence need not be on each row.
    const isPoor = refusal === 'not_affordable';
    const why = refusal === undefined || isPoor ? '' : (purchaseTexts[refusal] ?? refusal);
    return element(
      'li',
      element('span', name),
      element('span', { class: isPoor && 'bad' }, cost),
      textButton('Buy', () => this.send(input), label),
      element('small', gameElement(about), why),
    );
  }

  private dialogue({ op, dialogueId, title, message, options }: PlayerEvent) {
    if (op === 'close') {
      if (this.kind === 'dialogue') this.close();
      return;
    }
    const said = element('div.said');
    said.append(gameElement(String(message ?? '')));
    const list = Array.isArray(options) ? (options as readonly { id?: unknown; name?: unknown }[]) : [];
    const buttons = list.map(({ id, name }) => {
      const made = textButton('', () => {
        this.close();
        this.send({ kind: 'dialogueOption', dialogue: String(dialogueId), option: String(id) });
      });
      made.append(gameElement(String(name ?? id), 'span'));
      return made;
    });
    this.open('dialogue', String(title ?? ''), buttons.length === 0, said, element('div.options', ...buttons));
  }

  private modal({ modal, title, label, content, dismissible, url }: PlayerEvent) {
    if (modal === 'input') {
      const input = element('input', {
        type: 'text',
        maxlength: 2000,
        autocomplete: 'off',
        'aria-labelledby': 'window-title',
      });
      const submit = () => {
        this.close();
        this.send({ kind: 'customInput', text: input.value });
      };
      const ok = element('button.main', { type: 'submit' }, 'OK');
      const isDismissible = dismissible !== false;
      const cancel = isDismissible && textButton('Cancel', () => this.close());
      const form = formOf({ class: 'options' }, submit, input, ok, cancel);
      this.open('modal', String(label ?? ''), isDismissible, form);
      input.focus();
    } else if (typeof content === 'string') {
      const said = element('div.said');
      said.append(gameElement(content));
      this.open('modal', String(title ?? ''), true, said);
    } else if (typeof url === 'string' && /^https?:\/\//i.test(url)) {
      // Only a link is shown, so that nothing is loaded without the player's consent.
      const link = element('a', { href: url, target: '_blank', rel: 'noopener noreferrer nofollow' }, url);
      this.open('modal', 'The game wants to open a web page', true, element('p', link));
    }
  }

  /** Reports clicks on elements of the game to the game, if the element has an id. */
  private clicked(event: Event) {
    const id = clickedElement(event);
    if (id !== undefined) this.send({ kind: 'htmlClick', element: { id } });
  }
}
