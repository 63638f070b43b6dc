import type { RandomStream } from '../../engine/core/index.ts';
import type { Input, OutputEvent } from '../../engine/index.ts';
import { noEntity } from '../../engine/tools.ts';
import type { Habits } from './habits.ts';
import { completed, type Phrases } from './phrases.ts';
import type { Surroundings } from './surroundings.ts';

/** The kinds of output events that a client would answer. */
export const promptKinds: ReadonlySet<string> = new Set([
  'ui.modal',
  'ui.dialogue',
  'ui.shop',
  'ad',
  'coins',
  'player.kick',
  'transfer',
] satisfies OutputEvent['kind'][]);

/** An input to be sent at a tick. `leave` means that the game sends the player away. */
interface Answer {
  readonly tick: number;
  readonly input: Input | 'leave';
}

const waitingMax = 20;
const adResults = ['Completed', 'Completed', 'Completed', 'Skipped', 'Blocked', 'Failed'] as const;
const coinResults = ['success', 'success', 'success', 'insufficientCoins', 'dailyLimit'] as const;
const words = ['Ada', 'red team', 'yes', 'no', 'castle', 'hello there'] as const;
const names =
  'Ada Ben Cleo Dario Elif Finn Grace Hugo Ines Jonas Kaito Lena Milo Nora Omar Pia Quinn Rosa Sven Tara Umut Vera Wanda Yuki'.split(
    ' ',
  );
/**
 * Matches labels of input boxes that ask for a name, such as "Your nickname:" and "What shall we call you?", but not
 * labels that only mention one.
 */
const asksForName = new RegExp(
  [
    /\b(?:your|a|new)\s+(?:\w+\s+)?(?:nick|user)?name\b(?!\s+of)/,
    /^\W*(?:\w+\s+)?(?:nick|user)?name\W*$/,
    /\b(?:nickname|call you|who are you)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

/** Whether a player can pay a price with its attributes. Attributes that the player does not have are ignored. */
function canAfford(
  game: Surroundings,
  clientId: string,
  { price }: { readonly price: { readonly playerAttributes: ReadonlyMap<string, number> } },
) {
  const player = game.playerOf(clientId);
  if (player === noEntity) return true;
  for (const [key, amount] of price.playerAttributes) {
    const value = game.attribute(player, key);
    if (value !== undefined && value < amount) return false;
  }
  return true;
}

/** Answers the dialogs and windows that a bot is shown. */
export class PromptResponder {
  private readonly waiting: Answer[] = [];
  /** Whether a purchase has failed for lack of room since this field was last reset. */
  isFull = false;

  constructor(
    private readonly game: Surroundings,
    private readonly player: string,
    private readonly random: RandomStream,
    private readonly phrases: () => Phrases,
    private readonly habits: Habits,
  ) {}

  /** The earliest tick at which an answer is due; Infinity if there is none. */
  get answerTick(): number {
    return Math.min(...this.waiting.map(({ tick }) => tick));
  }

  /** Removes and returns an answer that is due; undefined if there is none. */
  takeDue(tick: number): Answer['input'] | undefined {
    const at = this.waiting.findIndex((answer) => answer.tick <= tick);
    return at < 0 ? undefined : this.waiting.splice(at, 1)[0]!.input;
  }

  clear() {
    this.waiting.length = 0;
  }

  takeOver({ waiting, isFull }: PromptResponder) {
    this.waiting.splice(0, this.waiting.length, ...waiting);
    this.isFull = isFull;
  }

  /** Handles an output event of one of `promptKinds` for this bot. */
  receive(event: OutputEvent) {
    const { player, random } = this;
    switch (event.kind) {
      case 'ui.modal':
        if (event.modal === 'input') this.later({ kind: 'customInput', player, text: this.text(event.label ?? '') });
        else this.later({ kind: 'htmlClick', player, element: { id: this.element() } });
        return;
      case 'ui.dialogue':
        if (event.op === 'open') this.chooseOption(String(event.dialogueId));
        return;
      case 'ui.shop':
        if (event.result === 'inventory_full') this.isFull = true;
        if (event.op !== 'open') return;
        this.buy(String(event.shopId));
        if (random.chance(0.5)) this.buy(String(event.shopId));
        return;
      case 'ad':
        if (event.op === 'play') this.later({ kind: 'adResult', player, result: random.pick(adResults)! });
        return;
      case 'coins':
        this.later({ kind: 'coinsResult', player, result: random.pick(coinResults)! });
        return;
      case 'player.kick':
      case 'transfer':
        this.later('leave');
        return;
    }
  }

  /** Buys something in a shop, like a player with an open shop window. */
  buy(shopId: string) {
    const shop = this.game.definition.shops.get(shopId);
    if (shop === undefined) return;
    const { player, random } = this;
    // The window shows prices, but some players try to buy what they cannot afford.
    const all = [...shop.itemTypes.keys()];
    const affordable = random.chance(0.1)
      ? all
      : all.filter((key) => canAfford(this.game, player, shop.itemTypes.get(key)!));
    const units = [...shop.unitTypes.keys()];
    const pricesOf = (key: string) => shop.itemTypes.get(key)?.price.playerAttributes ?? new Map<string, number>();
    const wanted = [...all, ...units].filter((key) => this.habits.isWanted(key));
    let items = affordable.length > 0 ? affordable : all;
    if (wanted.length > 0) {
      const type = random.pick(wanted.filter((key) => affordable.includes(key) || units.includes(key)));
      if (type !== undefined && random.chance(0.5)) {
        this.later({ kind: units.includes(type) ? 'buyUnit' : 'buyItem', player, type });
        return;
      }
      // To save for the wanted thing, the bot buys only things that cost other attributes.
      const saved = new Set(wanted.flatMap((key) => [...pricesOf(key).keys()]));
      items = items.filter((key) => ![...pricesOf(key).keys()].some((attribute) => saved.has(attribute)));
    }
    if (items.length + units.length === 0) return;
    const type = random.pick([...items, ...units])!;
    this.later({ kind: items.includes(type) ? 'buyItem' : 'buyUnit', player, type });
  }

  private chooseOption(dialogue: string) {
    const options = this.game.definition.dialogues.get(dialogue)?.options ?? [];
    const option = this.random.pick(options)?.key;
    if (option !== undefined) this.later({ kind: 'dialogueOption', player: this.player, dialogue, option });
  }

  /** The id of an element to click: one that scripts mention, or `close` if they mention none. */
  element(): string {
    const { habits, random } = this;
    const sought = habits.sought(random, habits.interests.phrases.elements);
    return sought ?? random.pick(this.phrases().elements) ?? 'close';
  }

  /**
   * The answer to an input box: a name if the label asks for one; otherwise a string with which scripts compare
   * answers, a number or a word.
   */
  private text(label: string) {
    const { habits, random } = this;
    const sought = habits.sought(random, habits.interests.phrases.answers);
    if (sought !== undefined) return completed(sought, random);
    const { answers, answersAreNames } = this.phrases();
    const offered = new Set(label.toLowerCase().match(/\w+/g));
    const isChoice = answers.some((answer) => offered.has(answer.toLowerCase()));
    if (!isChoice && (answersAreNames || asksForName.test(label))) return this.random.pick(names)!;
    if (answers.length > 0 && random.chance(0.7)) return completed(random.pick(answers)!, random);
    return this.random.chance(0.5) ? String(this.random.integer(0, 100)) : this.random.pick(words)!;
  }

  private later(input: Answer['input']) {
    if (this.waiting.length >= waitingMax) return;
    this.waiting.push({ tick: this.game.tick + Math.round(this.random.between(0.3, 2.5) * this.game.rate), input });
  }
}
