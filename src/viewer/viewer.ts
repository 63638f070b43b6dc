import type { Journal, LoadedGame } from '../../engine/index.ts';
import type { ShownFailure } from '../run/index.ts';
import { gameTitle } from '../text/index.ts';
import { nextStep, type StepPosition } from '../why/index.ts';
import { damageTexts, gameTexts } from './drawing/damage.ts';
import { between, type Scene } from './drawing/scene.ts';
import { SimulationScene } from './drawing/simulation-scene.ts';
import { failureHead } from './panels/failure-panel.ts';
import { filtered, journalContent } from './panels/journal-panels.ts';
import { type JournalTab, journalTabs } from './panels/journal-tabs.ts';
import { addressIn, addressText, type ViewAddress, watchedMax } from './parts/address.ts';
import { element, textButton } from './parts/element.ts';
import { PlayView } from './play-view.ts';
import { History, whenIdle } from './time/history.ts';
import { Lanes } from './time/lanes.ts';
import { Playback } from './time/playback.ts';
import { type Finding, type SearchQuery, searchInSlices } from './time/search.ts';
import { isInside, type Range } from './time/sparkline.ts';
import { clockText } from './time/timeline.ts';

/** How long, in ms, ticks are simulated per frame during playback. */
const playingMs = 8;
/**
 * How long, in ms, a jump may block the page: during use, and when the page is opened. A longer jump waits until the
 * play has been read up to its target.
 */
const jumpMs = 300;
const openingMs = 3000;
/** The interval, in ms, at which lists are redrawn during playback. */
const listingMs = 160;
/** How long, in ms, ticks are simulated while the page is idle, before input is handled again. */
const preparingMs = 10;
/** The URL is updated this long, in ms, after the last change of the time line. */
const addressMs = 400;

const tabIds = Object.keys(journalTabs) as JournalTab[];
const filteredTabs: ReadonlySet<JournalTab> = new Set(['all', 'scripts', 'triggers', 'outputs']);

/** The content that the viewer shows. */
export interface ViewerSource {
  readonly game: LoadedGame;
  readonly journal: Journal;
  /** The failure of the scenario, if there is one. */
  readonly failure?: ShownFailure | undefined;
  /** An SVG of the game's states; '' if there is none. */
  readonly states?: string | undefined;
}

/** The page for a journal. */
export class Viewer extends PlayView {
  private readonly history: History;
  private readonly playback: Playback;
  private readonly scenes = new SimulationScene();
  /** The scenes of the tick that is shown, and of the tick before it if that was shown, too. */
  private scene: Scene | undefined;
  private sceneBefore: Scene | undefined;
  private drawnTick = -1;
  /** Whether an animation frame is pending. */
  private isFramePending = false;
  /** Simulated time, in ms, that is due but not simulated yet. */
  private dueMs = 0;
  private lastFrame = 0;
  private listedMs = -Infinity;
  private isPreparing = false;
  /** Whether the lists are up to date. After a jump, the stage is drawn first. */
  private isListed = true;
  /** The target of a jump that waits until the play has been read that far. */
  private awaitedTick: number | undefined;
  private jumpMs = openingMs;
  private readonly lanes: Lanes;
  private readonly filter: HTMLInputElement;
  private watched: readonly string[] = [];
  /** The part of the play that the time line shows; undefined for all of it. */
  private range: Range | undefined;
  private readonly wholeButton = textButton('Whole play', () => this.zoom(undefined), { id: 'whole', hidden: true });
  /**
   * The tick at which the page was opened, if neither the URL nor the caller named one. Undefined after the first
   * action of the user.
   */
  private openedTick: number | undefined;
  /** The action at which stepping stopped: the actions of its tick, and its index among them. */
  private stepped: StepPosition | undefined;
  private addressTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    root: HTMLElement,
    private readonly source: ViewerSource,
  ) {
    const { game, journal, failure } = source;
    const { failure: failureTab, ...others } = journalTabs;
    const tabs = failure === undefined ? others : { failure: failureTab, ...others };
    const first = failure === undefined ? 'all' : 'failure';
    const says = 'Filter this list';
    const filter = element('input.filter', { type: 'search', placeholder: says, 'aria-label': says });
    super({ tabs, first, listTools: filter });
    this.filter = filter;
    filter.addEventListener('input', () => this.refresh());
    const ports = {
      changed: () => this.progress(),
      isBusy: () => this.isPlaying,
      awaitedTick: () => this.awaitedTick,
    };
    this.history = new History(game, journal, new Map(failure?.names), ports);
    this.playback = new Playback(game, journal, false, this.history.play);
    this.lanes = new Lanes({
      seek: (tick) => this.visit(() => this.seek(tick)),
      open: (value) => this.visit(() => this.openValue(value)),
      unwatch: (expression) => this.visit(() => this.watchValue(expression)),
      zoom: (first, last) => this.zoom({ first, last }),
    });
    this.timeline.plot(this.lanes.root);
    this.timeline.insert(this.wholeButton);
    const { head } = journal;
    const title = gameTitle(game.definition) ?? document.title.replace(/ · Reenact$/, '');
    document.title = `${failure === undefined ? '' : `✗ ${failure.title} · `}${title} · Reenact`;
    const seconds = (journal.lastTick - head.tick) / head.rate;
    this.lay(root, {
      title,
      about: `${clockText(seconds)} at ${head.rate} ticks a second · seed ${head.seed} · ${head.dialect} · version ${head.version}`,
      lead: failure === undefined ? [] : [failureHead(failure)],
      map: [this.stage.canvas],
      side: this.panels.root,
    });
    document.addEventListener('keydown', (event) => this.key(event));
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.stage.recolor());
    addEventListener('popstate', () => this.arrive(addressIn(location.hash, tabIds)));
  }

  protected override get tick(): number {
    return this.playback.tick;
  }

  protected override get rate(): number {
    return this.playback.sim.rate;
  }

  /**
   * Shows the view that the URL names, or else the given tick. Without either, it shows the first input, and, as soon
   * as the first event has been read, the moment before that event, unless the user has done something by then.
   */
  show(tick: number | undefined) {
    const { journal } = this.source;
    const given = addressIn(location.hash, tabIds);
    const [firstInput = journal.head.tick] = journal.inputs.keys();
    this.arrive({ tick: tick ?? firstInput, ...given });
    if ((tick ?? given.tick) === undefined) this.openedTick = this.tick;
    this.jumpMs = jumpMs;
  }

  /** Goes to half a second before the first event, so that it happens when the play is started. */
  private showFirstEvent() {
    const [event] = this.history.events;
    if (this.openedTick === undefined || event === undefined) return;
    this.openedTick = undefined;
    this.seek(Math.max(this.tick, event.tick - this.rate / 2));
  }

  private zoom(range: Range | undefined) {
    this.range = range;
    this.wholeButton.hidden = range === undefined;
    if (range !== undefined && !isInside(this.tick, range)) this.visit(() => this.seek(range.first));
    this.refresh();
  }

  private get address(): ViewAddress<JournalTab> {
    const { value, script, line, watched: watch } = this;
    const entity = this.stage.selectedId;
    return { tick: this.awaitedTick ?? this.tick, tab: this.panels.current, entity, value, script, line, watch };
  }

  /** Shows a view. Without a tab or a tick, the current ones stay. */
  private arrive({ tick, tab, entity, value, script, line, watch = [] }: Partial<ViewAddress<JournalTab>>) {
    this.stopWaiting();
    Object.assign(this, { value, script, line, watched: watch });
    this.stage.selectedId = entity;
    this.tools.show();
    if (tab !== undefined) this.panels.choose(tab);
    this.jump(tick ?? this.tick);
    this.drawLists();
  }

  /** Adds the step to the browser's history. */
  protected override visit(act: () => void) {
    this.openedTick = undefined;
    const before = addressText(this.address);
    act();
    const now = addressText(this.address);
    if (now === before) return;
    // The current entry of the history gets the view that the user leaves, so that the back button restores it.
    this.writeAddress('replaceState', before);
    this.writeAddress('pushState', now);
  }

  private writeAddress(method: 'pushState' | 'replaceState', text: string) {
    clearTimeout(this.addressTimer);
    this.addressTimer = undefined;
    try {
      history[method](null, '', location.href.split('#')[0] + text);
    } catch {
      // A frame without an origin, such as one in a report, may not change its URL.
    }
  }

  private writeAddressSoon() {
    if (this.isPlaying || this.addressTimer !== undefined) return;
    this.addressTimer = setTimeout(() => this.writeAddress('replaceState', addressText(this.address)), addressMs);
  }

  protected override watchValue(expression: string) {
    const others = this.watched.filter((each) => each !== expression);
    this.watched = others.length < this.watched.length ? others : [...others, expression].slice(-watchedMax);
    this.refresh();
  }

  protected override stepAction(direction: 1 | -1) {
    const { history, tick } = this;
    this.isPlaying = false;
    const found = nextStep(history.play, tick, this.stepped, direction, (at) => history.activeTick(at, direction));
    if (found === undefined) return;
    this.stepped = found;
    const { action } = found.steps[found.index]!;
    this.showAction(action.script.place, action.path);
    this.seek(found.tick);
  }

  protected override find(query: SearchQuery, report: (finding: Finding) => void): () => void {
    const { game, journal } = this.source;
    return searchInSlices(query, game, journal, report);
  }

  protected override units(): readonly string[] {
    return this.playback.sim.units().map(({ id }) => id);
  }

  private readonly frame = (now: number) => {
    this.isFramePending = false;
    if (!this.isPlaying) return;
    this.play(now);
    if (this.tick === this.drawnTick) this.drawMotion();
    else this.drawStage();
    if (now - this.listedMs >= listingMs) {
      this.listedMs = now;
      this.drawLists();
    } else this.drawTime('');
    this.requestFrame();
  };

  /** Requests an animation frame unless one is pending. */
  private requestFrame() {
    if (this.isFramePending) return;
    this.isFramePending = true;
    requestAnimationFrame(this.frame);
  }

  private play(now: number) {
    const { playback } = this;
    this.dueMs += Math.min(100, now - this.lastFrame) * this.speed;
    this.lastFrame = now;
    const tickMs = 1000 / this.rate;
    const end = performance.now() + playingMs;
    while (this.dueMs >= tickMs && !playback.isAtEnd) {
      playback.step();
      this.dueMs -= tickMs;
      // If this machine is too slow, the ticks that it could not simulate in time are dropped.
      if (performance.now() > end) this.dueMs = 0;
    }
    if (playback.isAtEnd) this.pause();
  }

  protected override toggle() {
    this.openedTick = undefined;
    const { playback } = this;
    if (this.isPlaying) this.pause();
    else {
      if (playback.isAtEnd) playback.seek(playback.startTick);
      this.stopWaiting();
      this.isPlaying = true;
      this.dueMs = 0;
      this.lastFrame = performance.now();
      this.listedMs = this.lastFrame;
      this.refresh();
      this.requestFrame();
    }
  }

  private pause() {
    this.isPlaying = false;
    this.refresh();
  }

  protected override step(ticks: number) {
    this.seek((this.awaitedTick ?? this.tick) + ticks);
  }

  protected override seek(tick: number) {
    this.openedTick = undefined;
    this.jump(tick);
  }

  private jump(tick: number) {
    this.stopWaiting();
    this.isPlaying = false;
    const { playback, history } = this;
    const wanted = Math.min(playback.lastTick, Math.max(playback.startTick, Math.round(tick)));
    if (!playback.seek(wanted, history.tick < wanted ? this.jumpMs : undefined)) this.awaitedTick = wanted;
    this.isListed = false;
    this.drawStage();
    this.drawTime('');
    this.progress();
    this.prepareSoon();
  }

  /** Continues a jump that waits, or updates the lists. Call it when more of the play has been read. */
  private progress() {
    const { awaitedTick, history } = this;
    if (awaitedTick === undefined) {
      this.showFirstEvent();
      if (!this.isPlaying && this.isListed) this.drawLists();
    } else if (history.tick >= awaitedTick) this.jump(awaitedTick);
    else this.say(`Reading the play: tick ${history.tick} of ${awaitedTick} …`);
  }

  private stopWaiting() {
    if (this.awaitedTick === undefined) return;
    this.awaitedTick = undefined;
    this.say('');
  }

  private key(event: KeyboardEvent) {
    const { target, key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || this.help.isOpen) return;
    if (target instanceof HTMLInputElement && target.type === 'search') {
      if (key === 'Escape') this.stage.canvas.focus();
      return;
    }
    // On a focused button, Space and Enter activate the button.
    if ((key === ' ' || key === 'Enter') && target instanceof HTMLButtonElement) return;
    const run = this.keys[key]?.run;
    if (run === undefined) return;
    event.preventDefault();
    run(event);
  }

  protected override refresh() {
    this.drawStage();
    this.drawLists();
    this.prepareSoon();
  }

  /** While the page is idle, prepares going back, and completes the lists after a jump. */
  private prepareSoon() {
    if (this.isPreparing || this.isPlaying) return;
    this.isPreparing = true;
    whenIdle(() => {
      this.isPreparing = false;
      if (this.isPlaying) return;
      const end = performance.now() + preparingMs;
      let isReady = false;
      while (!isReady && performance.now() < end) isReady = !this.playback.prepare();
      if (!isReady) this.prepareSoon();
      else if (!this.isListed) this.drawLists();
      this.isListed ||= isReady;
    });
  }

  private drawStage() {
    const { history, playback, tick } = this;
    const scene = this.scenes.of(playback.sim);
    const texts = [...gameTexts(playback.watch, scene), ...damageTexts(history, scene, tick, this.rate)];
    this.sceneBefore = tick === this.drawnTick + 1 ? this.scene : undefined;
    this.scene = { ...scene, texts };
    this.drawnTick = tick;
    this.legend.show(scene.figures);
    this.drawMotion();
  }

  /** While the play runs, draws the stage between the previous tick and this one, so that motion is smooth. */
  private drawMotion() {
    const { sceneBefore, scene } = this;
    const share = this.isPlaying ? Math.min(1, (this.dueMs * this.rate) / 1000) : 1;
    this.stage.show(sceneBefore === undefined ? scene! : between(sceneBefore, scene!, share));
  }

  private drawLists() {
    const { history, playback, opened, script, line, watched, stepped } = this;
    const { failure, states } = this.source;
    const { current } = this.panels;
    const step = stepped?.tick === this.tick ? stepped : undefined;
    this.filter.hidden = !filteredTabs.has(current) || (current === 'scripts' && script !== undefined);
    const content = journalContent(current, {
      watch: playback.watch,
      selected: this.stage.selectedId,
      isMoving: this.isPlaying,
      failure,
      states,
      history,
      // The value that the user has chosen, or else the first value that the failure is about.
      value: this.value ?? (failure?.report.questions ?? failure?.report.expressions)?.[0],
      opened,
      script,
      line,
      watched,
      step,
    });
    this.panels.show(this.filter.hidden ? content : filtered(content, this.filter.value));
    this.lanes.show(history, watched, failure?.report.tick, { ...history.span, ...this.range });
    // Computing a hash takes longer than a tick, so none is shown while playing.
    this.drawTime(this.isPlaying ? '' : playback.hash);
    this.writeAddressSoon();
  }

  private drawTime(hash: string) {
    const { sim, tick, lastTick, startTick, checked } = this.playback;
    const { first, last } = this.range ?? { first: startTick, last: lastTick };
    this.timeline.show({
      tick,
      startTick: first,
      lastTick: last,
      seconds: sim.nowMs / 1000,
      hash,
      isAsRecorded: checked,
      isPlaying: this.isPlaying,
      speed: this.speed,
      soughtTick: this.awaitedTick,
    });
  }
}
