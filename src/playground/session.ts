import { engineVersion, isObject } from '../../engine/core/index.ts';
import type {
  Input,
  Journal,
  LoadedGame,
  OutputEvent,
  PlayerHandle,
  Simulation,
  UnitHandle,
} from '../../engine/index.ts';
import { internalsOf, persistentTexts, shopOffers } from '../../engine/tools.ts';
import { type Repertoire, repertoiresByType } from '../bots/index.ts';
import { loadJournalBytes } from '../journal/index.ts';
import { shopRegions } from '../net/index.ts';
import { loadScenarioOf } from '../scenario/index.ts';
import { gameTitle } from '../text/index.ts';
import {
  actionsOf,
  carriedOf,
  Effects,
  type Finding,
  type Ground,
  gameKeysOf,
  gameTexts,
  type History,
  hudContent,
  journalContent,
  loadHistory,
  loadSearch,
  Playback,
  type PlayerInput,
  phonePlacesOf,
  type SearchQuery,
  SimulationScene,
  SoundCues,
  shopViewOf,
  shortageOf,
  type Watch,
} from '../viewer/index.ts';
import { nextStep, type StepPosition } from '../why/index.ts';
import { readDocument } from './document.ts';
import { LivePlay } from './live-play.ts';
import type {
  ActionLocation,
  FrameRequest,
  Opened,
  Opening,
  PlayState,
  Requests,
  Shot,
  ToldEvent,
} from './worker-messages.ts';

/** The maximum time in which ticks are simulated per frame, so that inputs are handled soon, ms. */
const playingMs = 24;
/** Time between progress reports while an earlier play is repeated, ms. */
const repeatingMs = 100;
/** The client id of a person in a game without bots. */
const personId = 'you';

/** Reports the progress of a long request, from 0 to 1. */
export type Progress = (share: number, doing: string) => void;

/**
 * The game of a worker: the running play, and, while the user looks at an earlier tick, a replay of the play at that
 * tick.
 */
export class Session {
  private loaded: LoadedGame | undefined;
  private live: LivePlay | undefined;
  private back: Playback | undefined;
  private scenes = new SimulationScene();
  private cues!: SoundCues;
  private effects!: Effects;
  private sentGround: Ground | undefined;
  private dueMs = 0;
  private repertoires: ReadonlyMap<string, Repertoire> = new Map();
  private stopSearch: () => void = () => {};
  /** The history of the play, up to the tick to which it has been read. It is read once the user asks about a value. */
  private history: History | undefined;
  /** Reads the history of a play. It is loaded at the first question, because watching a game does not need it. */
  private readHistory: ((journal: Journal) => History) | undefined;
  /** The action at which stepping through a tick stopped. */
  private stepped: StepPosition | undefined;

  async open({ document, beginning, bots, repeat }: Opening, progress: Progress): Promise<Opened> {
    progress(0, 'Reading the game');
    const { text, game: loaded, problems, counts } = await readDocument(document);
    const errors = counts.error;
    if (loaded === undefined) return { text, problems, errors, game: undefined };
    progress(0.2, 'Building the world');
    this.loaded = loaded;
    const { definition } = loaded;
    this.repertoires = repertoiresByType(definition);
    const order = { tick: 0, kind: 'bots', count: bots, seed: beginning.seed } as const;
    this.begin(new LivePlay(loaded, beginning, repeat?.orders ?? [order]));
    if (repeat !== undefined) await this.repeat(repeat.tick, progress);
    return {
      text,
      problems,
      errors,
      game: {
        title: gameTitle(definition),
        rate: this.live!.sim.rate,
        version: engineVersion,
        keys: [...gameKeysOf([...this.repertoires.values()])],
        zoom: definition.settings.camera?.zoom?.default,
        shopRegions: shopRegions(
          [definition, ...definition.unitTypes.values()].map((each) => [...each.scripts.values()]),
        ),
      },
    };
  }

  frame(request: FrameRequest): Shot {
    const live = this.playing;
    if (request.isPlaying) this.play(request.dueMs);
    const { sim, watch } = this.shown;
    const scene = this.scenes.of(sim);
    const ground = scene.ground === this.sentGround ? undefined : scene.ground;
    this.sentGround = scene.ground;
    const isPlayed = this.back === undefined && live.taken !== undefined;
    const told = live.takeTold();
    const drawn = this.back === undefined ? this.effects.of(scene, told, sim.nowMs) : scene;
    return {
      tick: sim.tick,
      startTick: live.journal.head.tick,
      lastTick: live.sim.tick,
      seconds: sim.nowMs / 1000,
      isNewest: this.back === undefined,
      isEnded: live.sim.ended,
      warning: live.limit.warning,
      scene: { ...drawn, ground, texts: gameTexts(watch, scene) },
      you: isPlayed ? this.you(live.sim, live.taken!) : undefined,
      told: told.map((event) => this.toldOf(event)),
      cues: isPlayed ? this.cues.of(scene.figures, told) : [],
      lists: request.wantsLists ? this.lists(request, watch) : undefined,
    };
  }

  seek(tick: number) {
    const live = this.playing;
    if (tick >= live.sim.tick) {
      this.showNewest();
      return;
    }
    this.back ??= new Playback(this.loaded!, live.journal, true);
    this.back.seek(tick);
  }

  async stepAction(direction: 1 | -1): Promise<ActionLocation | null> {
    await this.loadHistory();
    const { tick } = this.shown.sim;
    const history = this.historyUpTo(tick);
    // While the history is incomplete, it does not know in which ticks actions ran, so each tick is examined.
    const next = (at: number) => {
      if (history.isComplete) return history.activeTick(at, direction);
      const { first, last } = history.span;
      return at + direction > first && at + direction <= last ? at + direction : undefined;
    };
    const found = nextStep(history.play, tick, this.stepped, direction, next);
    if (found === undefined) return null;
    this.stepped = found;
    this.seek(found.tick);
    const { script, path } = found.steps[found.index]!.action;
    return { tick: found.tick, script: script.place, line: path };
  }

  branch() {
    const { back, playing: live } = this;
    if (back === undefined) return;
    const { tick } = back;
    const { seed } = live.beginning;
    const bots = live.orders.findLast((order) => order.kind === 'bots');
    const beginning = { ...live.beginning, snapshot: back.sim.snapshot() };
    const count = bots?.count ?? 0;
    this.begin(new LivePlay(this.loaded!, beginning, [{ tick, kind: 'bots', count, seed: `${seed}/${tick}` }]));
  }

  take(selected: string | undefined) {
    const live = this.playing;
    this.showNewest();
    this.give();
    const found = selected === undefined ? undefined : live.sim.find(selected);
    const owner = found?.kind === 'unit' ? found.owner : found?.kind === 'player' ? found : undefined;
    const people = live.sim.players().filter(({ controlledBy }) => controlledBy === 'human');
    const player = people.find(({ id }) => id === owner?.id) ?? people.find(({ unit }) => unit !== undefined);
    live.order({ kind: 'take', player: player?.clientId ?? personId });
  }

  give() {
    const { taken } = this.playing;
    if (taken !== undefined) this.playing.order({ kind: 'give', player: taken });
  }

  input(input: PlayerInput) {
    const { taken } = this.playing;
    if (taken !== undefined) this.playing.order({ kind: 'input', input: { ...input, player: taken } as Input });
  }

  async search(query: SearchQuery, progress: Progress): Promise<Finding> {
    const { searchInSlices } = await loadSearch();
    this.stopSearch();
    const journal = journalOf(this.playing);
    return new Promise((resolve) => {
      this.stopSearch = searchInSlices(query, this.loaded!, journal, (finding) => {
        if ('wrong' in finding || finding.isDone) resolve(finding);
        else progress(finding.tick / Math.max(1, journal.lastTick), String(finding.tick));
      });
    });
  }

  /** Everything that is needed to repeat the play up to the tick that is shown. */
  state(): PlayState {
    const { beginning, orders } = this.playing;
    const { sim } = this.shown;
    return { beginning, orders: orders.filter(({ tick }) => tick < sim.tick), tick: sim.tick, hash: sim.hash() };
  }

  async journal(): Promise<Uint8Array> {
    // The module is imported on demand, because watching a game does not need it.
    const { journalBytes } = await loadJournalBytes();
    const { journal, sim } = this.playing;
    return journalBytes(journal.records(sim.hash()));
  }

  async scenario({ game, journalFile }: Requests['scenario']['params']): Promise<string> {
    if (this.playing.beginning.snapshot !== undefined)
      throw new Error('This play was branched from another one, so a scenario cannot repeat it from the start.');
    const { scenarioOf } = await loadScenarioOf();
    const journal = journalOf(this.playing);
    return scenarioOf({ journal, loaded: this.loaded!, journalFile, game, output: 'game.scenario.yaml' });
  }

  private get playing() {
    if (this.live === undefined) throw new Error('No game is open.');
    return this.live;
  }

  private get shown() {
    return this.back ?? this.playing;
  }

  private begin(live: LivePlay) {
    this.live = live;
    this.dueMs = 0;
    this.scenes = new SimulationScene();
    this.cues = new SoundCues(live.sim.definition);
    this.effects = new Effects(live.sim.definition);
    this.sentGround = undefined;
    this.history = undefined;
    this.stepped = undefined;
    this.showNewest();
  }

  private showNewest() {
    this.back = undefined;
  }

  private async repeat(tick: number, progress: Progress) {
    const live = this.playing;
    const first = live.sim.tick;
    let end = performance.now() + repeatingMs;
    while (live.sim.tick < tick && !live.sim.ended) {
      live.step();
      if (performance.now() < end) continue;
      progress((live.sim.tick - first) / (tick - first), `Repeating the play: tick ${live.sim.tick} of ${tick}`);
      await new Promise((resolve) => setTimeout(resolve));
      end = performance.now() + repeatingMs;
    }
    live.takeTold();
  }

  private play(dueMs: number) {
    this.dueMs += dueMs;
    const tickMs = 1000 / this.playing.sim.rate;
    const end = performance.now() + playingMs;
    while (this.dueMs >= tickMs) {
      this.dueMs -= tickMs;
      if (this.back?.isAtEnd === true) this.showNewest();
      if (this.back !== undefined) this.back.step();
      else this.playing.step();
      // If the machine is too slow, the simulated time falls behind real time; it does not try to catch up.
      if (performance.now() > end) this.dueMs = 0;
    }
  }

  /**
   * The history of the whole play, which the tabs of values and scripts list while the play is paused. To read the
   * history, the play is simulated again, so it is read only if a value or a script is being explained.
   */
  private historyFor(request: FrameRequest) {
    if (request.isPlaying) return undefined;
    const { tick } = this.shown.sim;
    const isWanted = asksWhy(request);
    if (this.readHistory !== undefined && isWanted) return this.historyUpTo(tick);
    if (isWanted) void this.loadHistory();
    return this.history !== undefined && this.history.journal.lastTick >= tick ? this.history : undefined;
  }

  private historyUpTo(tick: number) {
    if (this.history === undefined || this.history.journal.lastTick < tick)
      this.history = this.readHistory!(journalOf(this.playing));
    return this.history;
  }

  private async loadHistory() {
    const { History } = await loadHistory();
    this.readHistory ??= (recorded) => new History(this.loaded!, recorded, new Map(), { changed: () => {} });
  }

  private lists(request: FrameRequest, watch: Watch) {
    const { tab, selected, script, line, value, isPlaying } = request;
    const live = this.playing;
    const history = this.historyFor(request);
    const opened = new Set(request.opened);
    const { sim } = watch;
    const areas = this.back === undefined ? live.texts.shown(sim.nowMs) : persistentTexts(sim);
    return {
      panel: journalContent(tab, {
        watch,
        selected,
        script,
        line,
        value,
        opened,
        isMoving: isPlaying,
        history,
        step: this.stepped?.tick === sim.tick && !isPlaying ? this.stepped : undefined,
      }),
      isReading: !isPlaying && asksWhy(request) && history?.isReading !== false,
      hash: sim.hash(),
      isAsRecorded: this.back?.checked,
      faults: sim.faults().length,
      hud: this.hud(sim),
      areas: [...areas].filter(([, html]) => html !== ''),
    };
  }

  private hud(sim: Simulation) {
    const people = sim.players().filter(({ controlledBy }) => controlledBy === 'human');
    const own = people.find(({ clientId }) => clientId === this.playing.taken);
    const unit = own?.unit;
    return hudContent(sim.definition, own && bearerOf(own), unit && bearerOf(unit), people.map(bearerOf));
  }

  private you(sim: Simulation, clientId: string) {
    const player = sim.player(clientId);
    const unit = player.exists ? player.unit : undefined;
    const can = this.repertoires.get(unit?.type ?? '');
    const { type, quantity } = unit?.holding ?? {};
    return {
      unit: unit && { id: unit.id, kind: unit.typeName ?? 'unit' },
      carried: carriedOf(can, (slot) => unit?.slots[slot], unit?.slot),
      shortage: shortageOf(sim.definition, unit && bearerOf(unit), type, quantity),
      actions: actionsOf(sim.definition, unit?.type, can?.keys ?? []),
      places: phonePlacesOf(sim.definition, unit?.type),
    };
  }

  private toldOf(event: OutputEvent): ToldEvent {
    const { sim, taken } = this.playing;
    const { to, ...told } = event;
    // Functions and other things that cannot be sent are left out.
    const plain: ToldEvent = JSON.parse(JSON.stringify(told));
    if (event.kind === 'chat') {
      const from = sim.players().find(({ id }) => id === event.fromPlayerId)?.name;
      return { ...plain, from, ...(isObject(to) && { playerId: taken }) };
    }
    if (event.kind !== 'ui.shop' || taken === undefined) return plain;
    const player = sim.player(taken);
    if (!player.exists) return plain;
    const offers = shopOffers(internalsOf(sim).game, player.entity);
    return { ...plain, shop: shopViewOf(sim.definition, bearerOf(player), player.coins, { ...event, ...offers }) };
  }
}

/** A unit or player of the simulation as the HUD reads it. */
function bearerOf<Handle extends UnitHandle | PlayerHandle>(handle: Handle) {
  const { id, name, type: key = '' } = handle;
  const attribute = (of: string) => {
    const bounds = handle.attributeBounds(of);
    return bounds && { ...bounds, value: handle.attribute(of)! };
  };
  return { id, name, type: { key }, attribute };
}

/** Whether a list explains values or actions, for which the whole play must be read. */
function asksWhy({ tab, script }: FrameRequest) {
  return tab === 'value' || (tab === 'scripts' && script !== undefined);
}

/** A copy of the journal in its current state; the original keeps growing. */
function journalOf({ journal }: LivePlay) {
  const { head, inputs, hashes, snapshots, edits, isComplete, lastTick } = journal;
  return { head, inputs, hashes, snapshots: [...snapshots], edits, isComplete, lastTick };
}
