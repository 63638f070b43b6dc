import {
  button,
  element,
  type Ground,
  type JournalTab,
  journalTabs,
  type KeyBindings,
  KeyHelp,
  LegendStrip,
  type Mark,
  PlayerDesk,
  type PlayerInput,
  SearchBox,
  Stage,
  StageTools,
  Tabs,
  TickGraph,
  Timeline,
  toggleTheme,
  viewKeys,
  zoomKeys,
} from '../viewer/index.ts';
import { EditPanel } from './edit-panel.ts';
import type { EnginePort } from './engine-port.ts';
import type { Lists, OpenedGame, Shot, ToldEvent, You } from './messages.ts';
import { TestPanel } from './test-panel.ts';

const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32] as const;
const listingMs = 200;
/** How often, in ms, a list is shown again while the play is still being read for it. */
const readingMs = 300;
/** After this long without an answer the page shows that the worker is busy, ms. */
const slowMs = 1500;
/** A game that does not respond for this long is ended, before it uses up the memory of the page. */
const stuckMs = 10_000;
const walking = ['w', 'a', 's', 'd', 'up', 'left', 'down', 'right'];

/** What the screen shows about a game and its play. */
interface Shown {
  readonly title: string;
  readonly about: string;
  readonly text: string;
}

/** The part of the view that is stored in a link. */
interface View {
  readonly selected: string | undefined;
  readonly tab: JournalTab;
  /** The script whose text is shown, as `scripts/KEY`. */
  readonly script: string | undefined;
}

interface PlayPorts {
  /** Called if the worker does not answer any more. */
  readonly stuck: () => void;
  /** The scenarios of the game to begin with. */
  readonly scenarios: () => Promise<string>;
  readonly edit: (text: string, isFromStart: boolean) => Promise<string>;
  readonly leave: () => void;
  readonly share: () => void;
}

/** The lists that a play has which is alone and still going on. */
const tabs: Partial<Record<JournalTab, string>> = (({ failure: _failure, differences: _differences, ...others }) =>
  others)(journalTabs);

/** The screen on which a game is played: stage, time line and lists, and the controls of the person who takes over. */
export class PlayScreen {
  readonly stage: Stage;
  private readonly port: EnginePort;
  private readonly ports: Pick<PlayPorts, 'stuck'>;
  private readonly rate: number;
  private readonly timeline: Timeline;
  private readonly panels: Tabs<JournalTab>;
  private readonly graph = new TickGraph();
  private readonly tools: StageTools;
  private readonly search: SearchBox;
  private readonly legend = new LegendStrip();
  private readonly help: KeyHelp;
  private readonly desk: PlayerDesk;
  private readonly banner = element('div', { class: 'banner', role: 'status', hidden: true });
  private readonly deck: HTMLElement;
  private readonly takeButton: HTMLButtonElement;
  private readonly branchButton: HTMLButtonElement;
  private readonly side: HTMLElement;
  private readonly editPanel: EditPanel;
  private readonly testPanel: TestPanel;
  private readonly ends = new AbortController();
  private shot: Shot | undefined;
  private lists: Lists | undefined;
  private ground: Ground | undefined;
  private marks: readonly Mark[] = [];
  private isPlaying = true;
  private speed = speeds.indexOf(1);
  private dueMs = 0;
  private isShifted = false;
  private lastFrame = performance.now();
  private listedMs = Number.NEGATIVE_INFINITY;
  /** Whether a request for a frame has no answer yet. */
  private isAsked = false;
  /** How long the page has waited for it, without the time in which the page or the machine slept. */
  private waitedMs = 0;
  /** Whether something other than time has changed since the last shot. */
  private isStale = true;
  private soughtTick: number | undefined;
  /** The tick that the worker was asked for, until it is shown: further steps start from it. */
  private goal: number | undefined;
  /** What is shown about a game that is slow or large. */
  private trouble = '';
  /** The script whose text is shown, as `scripts/KEY`. */
  private script: string | undefined;
  /** The path of the action that was chosen in it. */
  private line: string | undefined;
  /** The expression that the tab “Value” explains, and which values that its writes read are explained, too. */
  private value: string | undefined;
  private readonly opened = new Set<string>();

  constructor(
    root: HTMLElement,
    { title, about, text }: Shown,
    game: OpenedGame,
    port: EnginePort,
    ports: PlayPorts,
    view: View,
  ) {
    this.port = port;
    this.ports = ports;
    this.rate = game.rate;
    this.stage = new Stage({ select: (id) => this.select(id, true), moved: () => this.tools.show() });
    this.stage.selectedId = view.selected;
    this.script = view.script;
    const send = (input: PlayerInput): void => {
      if (this.shot?.you !== undefined) void port.request('input', input);
    };
    let sequence = 0;
    this.desk = new PlayerDesk(this.stage, {
      send,
      say: (text) => {
        send({ kind: 'chat', text });
        return ++sequence;
      },
      shopOf: (event) => (event as ToldEvent).shop,
      isPlaying: () => this.shot?.you !== undefined,
      isAsking: () => this.help.isOpen,
      gameKeys: new Set([...walking, ...game.keys]),
      pageKeys: () => (this.shot?.you === undefined ? watchingKeys : playingKeys),
    });
    this.timeline = new Timeline(() => this.marks, {
      seek: (tick) => this.seekSoon(tick),
      step: (ticks) => this.step(ticks),
      toggle: () => this.toggle(),
      changeSpeed: (direction) => this.changeSpeed(direction),
    });
    this.panels = new Tabs<JournalTab>(tabs, view.tab, {
      select: (id) => this.select(id, true),
      open: (tab) => this.openTab(tab),
    });
    this.panels.root.addEventListener('click', ({ target }) => {
      const link = (target as HTMLElement).closest<HTMLElement>('button');
      const { tick, script, line, step, value, open } = link?.dataset ?? {};
      if (step !== undefined) this.stepAction(step === '1' ? 1 : -1);
      if (script !== undefined) this.script = script === '' ? undefined : script;
      if (script !== undefined || line !== undefined) this.line = line;
      if (open !== undefined && !this.opened.delete(open)) this.opened.add(open);
      if (open !== undefined) this.refresh();
      if (value !== undefined) this.explain(value);
      else if (script !== undefined || line !== undefined) this.openTab('scripts');
      if (tick !== undefined) this.seek(Number(tick));
    });
    this.search = new SearchBox({
      search: (query, report) => {
        let isStopped = false;
        const tell: typeof report = (finding) => isStopped || report(finding);
        void port
          .request('search', query, (_share, doing) =>
            tell({ tick: Number(doing), found: undefined, before: undefined, isDone: false }),
          )
          .then(tell);
        return () => {
          isStopped = true;
        };
      },
      now: () => this.shot?.tick ?? 0,
      found: (tick) => this.seek(tick),
      why: (text) => {
        this.isPlaying = false;
        this.explain(text);
      },
    });
    this.tools = new StageTools(this.stage, { fit: '0', follow: 'F' });
    this.takeButton = element('button', { type: 'button', class: 'main', id: 'take' }, 'Play yourself');
    this.takeButton.addEventListener('click', () => this.turnPlayer());
    this.branchButton = element(
      'button',
      { type: 'button', id: 'branch', title: 'Discard everything after this tick and continue from here' },
      'Play on from here',
    );
    this.branchButton.addEventListener('click', () => this.branch());
    const share = element('button', { type: 'button', id: 'share' }, 'Share');
    share.addEventListener('click', ports.share);
    const leave = element('button', { type: 'button', id: 'games' }, '‹ Games');
    leave.addEventListener('click', ports.leave);
    const stride = (): number => (this.isShifted ? Math.round(this.rate) : 1);
    const watchingKeys: KeyBindings = {
      ' ': { description: 'play or pause', run: () => this.toggle() },
      Enter: { description: 'play yourself', run: () => this.turnPlayer() },
      ArrowLeft: { description: 'one tick back (with Shift: one second)', run: () => this.step(-stride()) },
      ArrowRight: { description: 'one tick forward (with Shift: one second)', run: () => this.step(stride()) },
      ',': { description: 'the action before, also of an earlier tick', run: () => this.stepAction(-1) },
      '.': { description: 'the next action, also of a later tick', run: () => this.stepAction(1) },
      Home: { description: 'to the beginning', run: () => this.step(Number.NEGATIVE_INFINITY) },
      End: { description: 'to the newest tick', run: () => this.step(Number.POSITIVE_INFINITY) },
      '[': { description: 'slower', run: () => this.changeSpeed(-1) },
      ']': { description: 'faster', run: () => this.changeSpeed(1) },
      '/': { description: 'search for a tick', run: () => this.search.input.focus() },
      ...viewKeys({
        stage: this.stage,
        fit: () => this.tools.fit(),
        follow: () => this.tools.follow(),
        toggleTheme: () => this.toggleTheme(),
        select: (id) => this.select(id, true),
        units: () => this.shot?.scene.figures.filter(({ kind }) => kind === 'unit').map(({ id }) => id) ?? [],
      }),
      '?': { description: 'these keys', run: () => this.help.open() },
    };
    const playingKeys: KeyBindings = {
      ...zoomKeys({ stage: this.stage, fit: () => this.tools.fit() }),
      Enter: { description: 'write a chat message', run: () => this.desk.chat.input.focus() },
      Escape: { description: 'give the unit back to the bot', run: () => this.turnPlayer() },
    };
    this.help = new KeyHelp(watchingKeys, game.keys);
    this.desk.pad.root.hidden = true;
    this.deck = element(
      'section',
      { class: 'deck', 'aria-label': 'Your player', hidden: true },
      this.desk.slots.root,
      this.desk.chat.root,
    );
    this.editPanel = new EditPanel(text, 'standard', { run: ports.edit });
    this.testPanel = new TestPanel({ game: () => this.editPanel.text, first: ports.scenarios });
    this.side = this.sideOf();
    root.replaceChildren(
      element(
        'header',
        {},
        leave,
        element('h1', {}, title),
        element('span', { class: 'about' }, about),
        this.search.root,
        this.takeButton,
        share,
        this.help.button,
        button('◐', 'Light or dark', 'T', () => this.toggleTheme()),
      ),
      element(
        'main',
        { class: 'stage' },
        element(
          'div',
          { class: 'view' },
          this.stage.canvas,
          this.desk.areas,
          this.banner,
          this.tools.root,
          this.desk.pad.root,
        ),
        this.legend.root,
        this.deck,
      ),
      this.timeline.root,
      this.side,
      this.desk.windows.root,
      this.help.root,
    );
    this.timeline.root.append(this.graph.root);
    this.timeline.root
      .querySelector('.controls')!
      .insertBefore(this.branchButton, this.timeline.root.querySelector('.now'));
    this.listen();
    this.stage.canvas.focus();
    requestAnimationFrame(this.frame);
  }

  get view(): View {
    return { selected: this.stage.selectedId, tab: this.panels.current, script: this.script };
  }

  pause(): void {
    this.isPlaying = false;
    this.refresh();
  }

  /** Opens the panel of the scenarios. */
  openTests(): void {
    this.open('test');
  }

  /** Says that parts of the game may be missing. */
  tellErrors(count: number): void {
    const show = element('button', { type: 'button', class: 'main', id: 'show-errors' }, 'Show');
    const hide = element('button', { type: 'button' }, 'Hide');
    for (const each of [show, hide]) each.addEventListener('click', () => this.say(''));
    show.addEventListener('click', () => this.open('edit'));
    const errors = count === 1 ? 'an error' : `${count} errors`;
    this.say(`The definition has ${errors}: parts of the game may be missing. `, show, ' ', hide);
  }

  private open(panel: 'edit' | 'test'): void {
    this.side.querySelector<HTMLButtonElement>(`#open-${panel}`)!.click();
  }

  /**
   * Resets the screen, because the play continues with another game or from another tick. The map stays until the
   * worker sends another one, which it may have done already.
   */
  restart(): void {
    this.shot = undefined;
    this.lists = undefined;
    this.say('');
    this.refresh();
  }

  /** Shows a message over the stage; empty hides it. */
  say(text: string, ...more: readonly (Node | string)[]): void {
    this.banner.hidden = text === '';
    this.banner.replaceChildren(text, ...more);
  }

  close(): void {
    this.ends.abort();
    this.desk.controls.close();
    this.editPanel.close();
    this.testPanel.close();
  }

  /** The texts of the editors: of the game, and of its scenarios if they were opened. */
  get texts(): { readonly game: string; readonly scenarios: string | undefined } {
    return { game: this.editPanel.text, scenarios: this.testPanel.text };
  }

  /** The side panel: the lists, or a panel to edit or test the game. */
  private sideOf(): HTMLElement {
    const panels: Readonly<Record<string, { readonly root: HTMLElement; readonly label: string; open?(): unknown }>> = {
      inspect: { root: this.panels.root, label: 'Inspect' },
      edit: { root: this.editPanel.root, label: 'Edit and check', open: () => this.editPanel.open() },
      test: { root: this.testPanel.root, label: 'Test', open: () => this.testPanel.open() },
    };
    const all = Object.entries(panels).map(([id, { root, label, open }]) => {
      const isFirst = id === 'inspect';
      root.hidden = !isFirst;
      const made = element('button', { type: 'button', id: `open-${id}`, 'aria-pressed': String(isFirst) }, label);
      made.addEventListener('click', () => {
        for (const each of Object.values(panels)) each.root.hidden = each.root !== root;
        for (const each of all) each.setAttribute('aria-pressed', String(each === made));
        side.classList.toggle('wide', !isFirst);
        void open?.();
        this.refresh();
      });
      return made;
    });
    const strip = element('div', { class: 'panel-switch', role: 'group', 'aria-label': 'Side' }, ...all);
    const side = element(
      'section',
      { class: 'side', 'aria-label': 'Tools' },
      strip,
      ...Object.values(panels).map(({ root }) => root),
    );
    return side;
  }

  private listen(): void {
    const { signal } = this.ends;
    document.addEventListener('keydown', ({ shiftKey }) => (this.isShifted = shiftKey), { signal });
    this.desk.listen(signal);
  }

  private readonly frame = (now: number): void => {
    if (this.ends.signal.aborted) return;
    requestAnimationFrame(this.frame);
    const elapsed = Math.min(100, now - this.lastFrame);
    this.lastFrame = now;
    if (this.isPlaying) this.dueMs += elapsed * speeds[this.speed]!;
    if (this.isAsked) {
      this.waitedMs += elapsed;
      if (this.waitedMs > slowMs && this.trouble === '') this.tellTrouble('The game is taking long for a tick …');
      // Other requests, such as going back, may legitimately take this long.
      if (this.waitedMs > stuckMs && this.port.waitingCount === 1) this.ports.stuck();
      return;
    }
    if (!this.isPlaying && !this.isStale) return;
    const wantsLists = this.isStale || now - this.listedMs >= listingMs;
    if (wantsLists) this.listedMs = now;
    this.isStale = false;
    this.isAsked = true;
    this.waitedMs = 0;
    const params = {
      isPlaying: this.isPlaying,
      dueMs: Math.min(this.dueMs, 100 * speeds[this.speed]!),
      tab: this.panels.current,
      selected: this.stage.selectedId,
      script: this.script,
      line: this.line,
      value: this.value,
      opened: [...this.opened],
      wantsLists,
    };
    this.dueMs = 0;
    this.port.request('frame', params).then(
      (shot) => {
        this.isAsked = false;
        this.tellTrouble(shot.warning);
        if (!this.ends.signal.aborted) this.show(shot);
      },
      (error: Error) => {
        this.isAsked = false;
        this.isPlaying = false;
        this.say(`The game has stopped: ${error.message}`);
      },
    );
  };

  private tellTrouble(text: string): void {
    if (text === this.trouble) return;
    this.trouble = text;
    this.say(text);
  }

  private show(shot: Shot): void {
    const before = this.shot;
    this.shot = shot;
    if (this.isPlaying || shot.tick === this.goal) this.goal = undefined;
    this.ground = shot.scene.ground ?? this.ground;
    if (before === undefined && this.ground?.columns === 0 && this.banner.hidden)
      this.say('The game has no map, so nothing can be drawn.');
    this.showYou(shot.you, before?.you);
    const own = shot.you && shot.scene.figures.find(({ id }) => id === shot.you!.unit);
    if (own !== undefined) this.desk.pad.aim(own);
    this.stage.show({ ...shot.scene, ground: this.ground! });
    for (const event of shot.told) this.hear(event);
    if (shot.lists !== undefined) this.showLists(shot.lists, shot);
    if (shot.isEnded && shot.isNewest && before?.isEnded !== true) {
      this.isPlaying = false;
      this.say('The game has ended.');
    }
    this.branchButton.hidden = shot.isNewest;
    this.timeline.show({
      ...shot,
      hash: this.lists?.hash ?? '',
      isAsRecorded: this.lists?.isAsRecorded,
      isPlaying: this.isPlaying,
      isLive: false,
      speed: speeds[this.speed]!,
    });
    document.documentElement.dataset['state'] = shot.you === undefined ? 'watching' : 'playing';
  }

  private showLists(lists: Lists, { tick, scene }: Shot): void {
    this.lists = lists;
    this.marks = lists.marks;
    this.panels.show(lists.panel);
    if (lists.isReading) setTimeout(() => this.refresh(), readingMs);
    this.panels.label('faults', lists.faults === 0 ? journalTabs.faults : `${journalTabs.faults} ${lists.faults}`);
    this.legend.show(scene.figures);
    const first = tick - lists.tickMs.length + 1;
    this.graph.show({ tick, rate: this.rate, tickMs: (at) => lists.tickMs[at - first] || undefined });
    this.desk.showAreas(lists.areas);
  }

  private showYou(you: You | undefined, before: You | undefined): void {
    const { stage } = this;
    if (you !== undefined) {
      this.desk.slots.show(you.carried);
      this.desk.pad.show(you.actions);
      if (you.unit !== before?.unit) {
        stage.anchor = you.unit;
        stage.selectedId = you.unit;
        stage.follow(true);
        this.tools.show();
      }
    }
    if ((you === undefined) === (before === undefined)) return;
    const isPlayer = you !== undefined;
    this.deck.hidden = !isPlayer;
    this.desk.pad.root.hidden = !isPlayer;
    stage.mouseInput = isPlayer ? this.desk.controls : undefined;
    stage.fingersOnlyPoint = isPlayer;
    stage.canvas.setAttribute('role', isPlayer ? 'application' : 'img');
    stage.canvas.setAttribute(
      'aria-label',
      isPlayer ? 'The game: control your unit with keys and mouse' : 'The map seen from above',
    );
    this.takeButton.replaceChildren(
      ...(isPlayer ? ['Give back', element('span', { class: 'long' }, ' to the bot')] : ['Play yourself']),
    );
    if (isPlayer) stage.canvas.focus();
    else {
      this.desk.controls.releaseAll();
      stage.anchor = undefined;
      this.tools.fit();
      if (this.desk.windows.isOpen) this.desk.windows.close();
    }
  }

  private hear(event: ToldEvent): void {
    if (event.kind === 'chat') {
      const { op, text, from } = event;
      if (typeof text === 'string') this.desk.chat.add(op === 'system' ? '' : (from ?? ''), text);
    } else if (this.shot?.you !== undefined) {
      this.desk.receive(event);
    }
  }

  private refresh(): void {
    this.isStale = true;
  }

  private turnPlayer(): void {
    if (this.shot?.you === undefined) {
      void this.port.request('take', { selected: this.stage.selectedId });
      this.isPlaying = true;
    } else {
      this.desk.controls.releaseAll();
      void this.port.request('give', null);
    }
    this.say('');
    this.refresh();
  }

  private branch(): void {
    void this.port.request('branch', null);
    this.isPlaying = true;
    this.say('');
    this.refresh();
  }

  private toggle(): void {
    this.isPlaying = !this.isPlaying;
    this.dueMs = 0;
    this.refresh();
  }

  private step(ticks: number): void {
    const { shot, goal } = this;
    if (shot === undefined) return;
    if (ticks === 1 && shot.isNewest && goal === undefined) {
      this.isPlaying = false;
      void this.port
        .request('frame', { ...this.frameRequest, dueMs: 1000 / this.rate })
        .then((next) => this.show(next));
      this.refresh();
    } else this.seek(Math.min(shot.lastTick, Math.max(shot.startTick, (goal ?? shot.tick) + ticks)));
  }

  private get frameRequest() {
    const { script, line, value } = this;
    const view = { tab: this.panels.current, selected: this.stage.selectedId, script, line, value };
    return { isPlaying: true, ...view, opened: [], wantsLists: false };
  }

  private stepAction(direction: 1 | -1): void {
    this.isPlaying = false;
    void this.port.request('stepAction', { direction }).then((found) => {
      if (found === null || this.ends.signal.aborted) return;
      this.script = found.script;
      this.line = found.line;
      this.goal = found.tick;
      this.openTab('scripts');
    });
  }

  private seek(tick: number): void {
    this.soughtTick = undefined;
    this.goal = tick;
    this.isPlaying = false;
    this.say('');
    void this.port.request('seek', { tick });
    this.refresh();
  }

  /** A slider sends more seeks than can be simulated; only the last one before each frame is performed. */
  private seekSoon(tick: number): void {
    this.isPlaying = false;
    if (this.soughtTick === undefined)
      requestAnimationFrame(() => this.soughtTick !== undefined && this.seek(this.soughtTick));
    this.soughtTick = tick;
  }

  private changeSpeed(direction: 1 | -1): void {
    this.speed = Math.min(speeds.length - 1, Math.max(0, this.speed + direction));
    this.refresh();
  }

  private explain(value: string): void {
    this.value = value;
    this.openTab('value');
  }

  private openTab(tab: JournalTab): void {
    this.panels.choose(tab);
    this.refresh();
  }

  private select(id: string | undefined, opens: boolean): void {
    this.stage.selectedId = id;
    if (id === undefined && this.stage.anchor === undefined) this.stage.follows = false;
    this.tools.show();
    if (id !== undefined && opens) this.openTab('entity');
    else this.refresh();
  }

  private toggleTheme(): void {
    toggleTheme();
    this.stage.recolor();
    this.refresh();
  }
}
