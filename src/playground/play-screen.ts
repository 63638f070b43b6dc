import {
  element,
  type Finding,
  type GameKeys,
  type Ground,
  isTouched,
  type JournalTab,
  journalTabs,
  type KeyBindings,
  PlayerDesk,
  type PlayerInput,
  PlayView,
  type SearchQuery,
  Speaker,
  textButton,
  zoomKeys,
} from '../viewer/index.ts';
import { EditPanel } from './edit-panel.ts';
import type { EnginePort } from './engine-port.ts';
import { TestPanel } from './test-panel.ts';
import type { Lists, OpenedGame, Shot, ToldEvent, You } from './worker-messages.ts';

const listingMs = 200;
/** While a play is still being read for a list, the list is updated at this interval, ms. */
const readingMs = 300;
/** After this long without an answer the page shows that the worker is busy, ms. */
const slowMs = 1500;
/** A game that does not respond for this long is ended, before it uses up the memory of the page, ms. */
const stuckMs = 10_000;

/** The parts of a game and its play that the screen shows. */
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
  /** Called when the worker no longer answers. */
  readonly stuck: () => void;
  /** Loads the initial scenarios of the game, as text. */
  readonly scenarios: () => Promise<string>;
  readonly edit: (text: string, isFromStart: boolean) => Promise<string>;
  readonly leave: () => void;
  readonly share: () => void;
}

/** The lists without “Failure”, because only scenarios have failures. */
const { failure: _failure, ...tabs }: Partial<Record<JournalTab, string>> = journalTabs;

/** The screen on which a game is played: the stage, time line and lists, and the controls of the person who plays. */
export class PlayScreen extends PlayView {
  protected readonly rate: number;
  private readonly playerKeys: ReadonlySet<string>;
  private readonly desk: PlayerDesk;
  private readonly speaker = new Speaker();
  private readonly takeButton: HTMLButtonElement;
  private readonly branchButton: HTMLButtonElement;
  private readonly side: HTMLElement;
  private readonly editPanel: EditPanel;
  private readonly testPanel: TestPanel;
  private readonly ends = new AbortController();
  private shot: Shot | undefined;
  private lists: Lists | undefined;
  private ground: Ground | undefined;
  private dueMs = 0;
  private lastFrame = performance.now();
  private listedMs = -Infinity;
  /** Whether a request for a frame has no answer yet. */
  private isAsked = false;
  /** How long the page has waited for the answer, not counting the time in which the page or the machine slept, ms. */
  private waitedMs = 0;
  /** Whether something other than the time has changed since the last shot. */
  private isStale = true;
  /** The tick that the worker was asked for and that is not shown yet; further steps start from it. */
  private goal: number | undefined;
  /** The message about a game that is slow or large. */
  private trouble = '';

  constructor(
    root: HTMLElement,
    { title, about, text }: Shown,
    game: OpenedGame,
    private readonly port: EnginePort,
    private readonly ports: PlayPorts,
    view: View,
  ) {
    super({ tabs, first: view.tab });
    this.playerKeys = new Set(game.keys);
    this.stage.camera.see(game.zoom);
    this.stage.shopRegions = game.shopRegions;
    this.rate = game.rate;
    this.isPlaying = true;
    this.stage.selectedId = view.selected;
    this.script = view.script;
    const send = (input: PlayerInput) => {
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
      gameKeys: this.playerKeys,
      pageKeys: () => this.keysNow,
    });
    this.takeButton = textButton('Play yourself', () => this.turnPlayer(), { class: 'main', id: 'take' });
    const branches = 'Discard everything after this tick and continue from here';
    this.branchButton = textButton('Play on from here', () => this.branch(), { id: 'branch', title: branches });
    const share = textButton('Share', ports.share, { id: 'share' });
    const leave = textButton('‹ Games', ports.leave, { id: 'games' });
    this.desk.pad.root.hidden = true;
    this.tools.root.append(this.speaker.root);
    this.desk.deck.hidden = true;
    this.editPanel = new EditPanel(text, ports.edit);
    this.testPanel = new TestPanel({ game: () => this.editPanel.text, first: ports.scenarios });
    this.side = this.sideOf();
    this.lay(root, {
      title,
      about,
      lead: [leave],
      acts: [this.takeButton, share],
      map: [this.stage.canvas, this.desk.areas],
      overMap: [this.desk.pad.root],
      deck: [this.desk.deck],
      side: this.side,
      windows: [this.desk.windows.root],
    });
    this.timeline.insert(this.branchButton);
    this.desk.listen(this.ends.signal);
    this.stage.canvas.focus();
    requestAnimationFrame(this.frame);
  }

  protected override get keysNow(): KeyBindings {
    if (this.shot?.you === undefined) return this.keys;
    return {
      ...zoomKeys(this.tools),
      Enter: { description: 'write a chat message', run: () => this.desk.chat.input.focus() },
      '?': this.keys['?']!,
    };
  }

  protected override get gameKeys(): GameKeys | undefined {
    const { you } = this.shot ?? {};
    return you && { keys: this.playerKeys, actions: you.actions };
  }

  protected override get tick(): number {
    return this.shot?.tick ?? 0;
  }

  protected override units(): readonly string[] {
    return this.shot?.scene.figures.filter(({ kind }) => kind === 'unit').map(({ id }) => id) ?? [];
  }

  protected override ownKeys(): KeyBindings {
    return { Enter: { description: 'play yourself', run: () => this.turnPlayer() } };
  }

  protected override find(query: SearchQuery, report: (finding: Finding) => void): () => void {
    let isStopped = false;
    const tell: typeof report = (finding) => isStopped || report(finding);
    void this.port
      .request('search', query, (_share, doing) =>
        tell({ tick: Number(doing), found: undefined, before: undefined, isDone: false }),
      )
      .then(tell);
    return () => {
      isStopped = true;
    };
  }

  get view(): View {
    return { selected: this.stage.selectedId, tab: this.panels.current, script: this.script };
  }

  pause() {
    this.isPlaying = false;
    this.refresh();
  }

  /** Opens the panel with the scenarios. */
  openTests() {
    this.open('test');
  }

  /** Tells the user that the game has errors, so parts of it may be missing. */
  tellErrors(count: number) {
    const showErrors = () => {
      this.say('');
      this.open('edit');
    };
    const show = textButton('Show', showErrors, { class: 'main', id: 'show-errors' });
    const hide = textButton('Hide', () => this.say(''));
    const errors = count === 1 ? 'an error' : `${count} errors`;
    this.say(`The definition has ${errors}: parts of the game may be missing. `, show, ' ', hide);
  }

  private open(panel: 'edit' | 'test') {
    this.side.querySelector<HTMLButtonElement>(`#open-${panel}`)!.click();
  }

  /**
   * Resets the screen, because the play continues with another game or from another tick. The map is not reset, because
   * the worker may already have sent the new one.
   */
  restart() {
    this.shot = undefined;
    this.lists = undefined;
    this.say('');
    this.refresh();
  }

  close() {
    this.ends.abort();
    delete document.documentElement.dataset['mode'];
    this.speaker.close();
    this.desk.controls.close();
    this.editPanel.close();
    this.testPanel.close();
  }

  /** The current texts of the editors: the game, and the scenarios if their panel was opened. */
  get texts() {
    return { game: this.editPanel.text, scenarios: this.testPanel.text };
  }

  /** The side panel: the lists, and the panels for editing and testing the game. */
  private sideOf() {
    const panels: Readonly<Record<string, { readonly root: HTMLElement; readonly label: string; open?(): unknown }>> = {
      inspect: { root: this.panels.root, label: 'Inspect' },
      edit: { root: this.editPanel.root, label: 'Edit and check', open: () => this.editPanel.open() },
      test: { root: this.testPanel.root, label: 'Test', open: () => this.testPanel.open() },
    };
    const all = Object.entries(panels).map(([id, { root, label, open }]) => {
      const isFirst = id === 'inspect';
      root.hidden = !isFirst;
      const choose = () => {
        for (const each of Object.values(panels)) each.root.hidden = each.root !== root;
        for (const each of all) each.setAttribute('aria-pressed', String(each === made));
        side.classList.toggle('wide', !isFirst);
        void open?.();
        // On a phone, the panels lie below the map, so the page scrolls to them.
        strip.scrollIntoView();
        this.refresh();
      };
      const made = textButton(label, choose, { id: `open-${id}`, 'aria-pressed': String(isFirst) });
      return made;
    });
    const strip = element('div.panel-switch', { role: 'group', 'aria-label': 'Side' }, ...all);
    const side = element(
      'section.side',
      { 'aria-label': 'Tools' },
      strip,
      ...Object.values(panels).map(({ root }) => root),
    );
    return side;
  }

  private readonly frame = (now: number) => {
    if (this.ends.signal.aborted) return;
    requestAnimationFrame(this.frame);
    const elapsed = Math.min(100, now - this.lastFrame);
    this.lastFrame = now;
    if (this.isPlaying) this.dueMs += elapsed * this.speed;
    if (this.isAsked) {
      this.waitedMs += elapsed;
      if (this.waitedMs > slowMs && this.trouble === '') this.tellTrouble('The game needs a long time for this tick …');
      // Only a frame request that is the only waiting request counts as stuck, because other requests, such as going
      // back, may take this long.
      if (this.waitedMs > stuckMs && this.port.waitingCount === 1) this.ports.stuck();
      return;
    }
    if (!this.isPlaying && !this.isStale) return;
    const wantsLists = this.isStale || now - this.listedMs >= listingMs;
    if (wantsLists) this.listedMs = now;
    this.isStale = false;
    this.isAsked = true;
    this.waitedMs = 0;
    const dueMs = Math.min(this.dueMs, 100 * this.speed);
    this.dueMs = 0;
    this.port.request('frame', this.frameRequest(dueMs, wantsLists)).then(
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

  private tellTrouble(text: string) {
    if (text === this.trouble) return;
    this.trouble = text;
    this.say(text);
  }

  private show(shot: Shot) {
    const before = this.shot;
    this.shot = shot;
    if (this.isPlaying || shot.tick === this.goal) this.goal = undefined;
    this.ground = shot.scene.ground ?? this.ground;
    if (before === undefined && this.ground?.columns === 0 && this.banner.hidden)
      this.say('The game has no map, so nothing can be drawn.');
    this.showYou(shot.you, before?.you);
    const own = shot.you && shot.scene.figures.find(({ id }) => id === shot.you!.unit?.id);
    if (own !== undefined) this.desk.pad.aim(Object.assign(own, { name: 'You' }));
    this.stage.show({ ...shot.scene, ground: this.ground! });
    this.speaker.hear(shot.cues, this.stage.camera);
    for (const event of shot.told) {
      if (event.kind === 'chat' || shot.you !== undefined) this.desk.receive(event, event.from);
    }
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
      speed: this.speed,
    });
    document.documentElement.dataset['state'] = shot.you === undefined ? 'watching' : 'playing';
  }

  private showLists(lists: Lists, { scene }: Shot) {
    this.lists = lists;
    this.panels.show(lists.panel);
    if (lists.isReading) setTimeout(() => this.refresh(), readingMs);
    this.panels.label('faults', lists.faults === 0 ? journalTabs.faults : `${journalTabs.faults} ${lists.faults}`);
    this.legend.show(scene.figures);
    this.desk.hud.show(lists.hud);
    this.desk.showAreas(lists.areas);
  }

  private showYou(you: You | undefined, before: You | undefined) {
    const { stage } = this;
    if (you !== undefined) {
      this.desk.slots.show(you.carried);
      this.desk.tell(you.unit, you.shortage, you.actions);
      this.desk.pad.show(you.actions, you.places);
      stage.fingersOnlyPoint = this.desk.pad.hasAim;
      if (you.unit?.id !== before?.unit?.id) this.tools.own(you.unit?.id);
    }
    if ((you === undefined) === (before === undefined)) return;
    const isPlayer = you !== undefined;
    this.desk.deck.hidden = !isPlayer;
    // On a touch screen, the game fills the page.
    if (isPlayer && isTouched()) document.documentElement.dataset['mode'] = 'play';
    else delete document.documentElement.dataset['mode'];
    this.desk.pad.root.hidden = !isPlayer;
    stage.control(isPlayer ? this.desk.controls : undefined);
    stage.isPlain = isPlayer;
    this.takeButton.replaceChildren(
      ...(isPlayer ? ['Give back', element('span.long', ' to the bot')] : ['Play yourself']),
    );
    if (isPlayer) stage.canvas.focus();
    else {
      this.desk.controls.releaseAll();
      stage.anchor = undefined;
      this.tools.fit();
      if (this.desk.windows.isOpen) this.desk.windows.close();
    }
  }

  protected override refresh() {
    this.isStale = true;
  }

  private turnPlayer() {
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

  private branch() {
    void this.port.request('branch', null);
    this.isPlaying = true;
    this.say('');
    this.refresh();
  }

  protected override toggle() {
    this.isPlaying = !this.isPlaying;
    this.dueMs = 0;
    this.refresh();
  }

  protected override step(ticks: number) {
    const { shot, goal } = this;
    if (shot === undefined) return;
    if (ticks === 1 && shot.isNewest && goal === undefined) {
      this.isPlaying = false;
      const request = { ...this.frameRequest(1000 / this.rate, false), isPlaying: true };
      void this.port.request('frame', request).then((next) => this.show(next));
      this.refresh();
    } else this.seek(Math.min(shot.lastTick, Math.max(shot.startTick, (goal ?? shot.tick) + ticks)));
  }

  private frameRequest(dueMs: number, wantsLists: boolean) {
    const { isPlaying, script, line, value } = this;
    const view = { tab: this.panels.current, selected: this.stage.selectedId, script, line, value };
    return { isPlaying, dueMs, ...view, opened: [...this.opened], wantsLists };
  }

  protected override stepAction(direction: 1 | -1) {
    this.isPlaying = false;
    void this.port.request('stepAction', { direction }).then((found) => {
      if (found === null || this.ends.signal.aborted) return;
      this.showAction(found.script, found.line);
      this.goal = found.tick;
      this.refresh();
    });
  }

  protected override seek(tick: number) {
    this.goal = tick;
    this.isPlaying = false;
    this.say('');
    void this.port.request('seek', { tick });
    this.refresh();
  }
}
