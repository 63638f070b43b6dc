import type { RandomStream } from '../../engine/base/random.ts';
import type { Input, OutputEvent, Simulation } from '../../engine/index.ts';

/** Output events that a client would answer. */
export const questionKinds: ReadonlySet<string> = new Set([
  'ui.modal',
  'ui.dialogue',
  'ui.shop',
  'ad',
  'coins',
  'player.kick',
  'transfer',
] satisfies OutputEvent['kind'][]);

/** An input that is sent when its tick has come. `leave` stands for being sent away. */
export interface Answer {
  readonly tick: number;
  readonly input: Input | 'leave';
}

const waitingMax = 20;
const adResults = ['Completed', 'Completed', 'Completed', 'Skipped', 'Blocked', 'Failed'] as const;
const coinResults = ['success', 'success', 'success', 'insufficientCoins', 'dailyLimit'] as const;
const words = ['Ada', 'red team', 'yes', 'no', 'castle', 'hello there'] as const;

/** The windows a bot is shown and what it does about them. */
export class Desk {
  private readonly sim: Simulation;
  private readonly player: string;
  private readonly random: RandomStream;
  private readonly waiting: Answer[] = [];

  constructor(sim: Simulation, player: string, random: RandomStream) {
    this.sim = sim;
    this.player = player;
    this.random = random;
  }

  /** Earliest tick at which an answer is due; Infinity when none waits. */
  get answerTick(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { tick } of this.waiting) if (tick < earliest) earliest = tick;
    return earliest;
  }

  /** One answer whose time has come; undefined when there is none (any more). */
  takeDue(tick: number): Answer['input'] | undefined {
    const at = this.waiting.findIndex((answer) => answer.tick <= tick);
    return at < 0 ? undefined : this.waiting.splice(at, 1)[0]!.input;
  }

  clear(): void {
    this.waiting.length = 0;
  }

  /** An output event of one of `questionKinds` that is for this bot. */
  hear(event: OutputEvent): void {
    const { player, random } = this;
    switch (event.kind) {
      case 'ui.modal':
        if (event['modal'] === 'input') this.later({ kind: 'customInput', player, text: this.text() });
        else this.later({ kind: 'htmlClick', player, element: { id: 'close' } });
        return;
      case 'ui.dialogue':
        if (event['op'] === 'open') this.chooseOption(String(event['dialogueId']));
        return;
      case 'ui.shop':
        if (event['op'] !== 'open') return;
        this.buy(String(event['shopId']));
        if (random.chance(0.5)) this.buy(String(event['shopId']));
        return;
      case 'ad':
        if (event['op'] === 'play') this.later({ kind: 'adResult', player, result: random.pick(adResults)! });
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

  /** Buys something that a shop offers, as players do whose shop window stays open. */
  buy(shopId: string): void {
    const shop = this.sim.definition.shops.get(shopId);
    if (shop === undefined) return;
    const { player, random } = this;
    const items = [...shop.itemTypes.keys()];
    const units = [...shop.unitTypes.keys()];
    if (items.length + units.length === 0) return;
    const at = random.integer(0, items.length + units.length - 1);
    if (at < items.length) this.later({ kind: 'buyItem', player, type: items[at]! });
    else this.later({ kind: 'buyUnit', player, type: units[at - items.length]! });
  }

  private chooseOption(dialogue: string): void {
    const option = this.random.pick(this.sim.definition.dialogues.get(dialogue)?.options ?? []);
    if (option !== undefined) {
      this.later({ kind: 'dialogueOption', player: this.player, dialogue, option: option.key });
    }
  }

  /** Half of what games ask for is a number. */
  private text(): string {
    return this.random.chance(0.5) ? String(this.random.integer(0, 100)) : this.random.pick(words)!;
  }

  private later(input: Answer['input']): void {
    if (this.waiting.length >= waitingMax) return;
    this.waiting.push({ tick: this.sim.tick + Math.round(this.random.between(0.3, 2.5) * this.sim.rate), input });
  }
}
