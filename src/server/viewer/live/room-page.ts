import type { Definition } from '../../../../engine/index.ts';
import { type Repertoire, repertoiresByType } from '../../../bots/index.ts';
import {
  type ClientEvent,
  type ClientInput,
  type Code,
  type Prediction,
  type Replica,
  type RoomClient,
  toldOfPace,
} from '../../../net/index.ts';
import {
  type Action,
  actionsOf,
  button,
  carriedOf,
  type DeskInput,
  Effects,
  element,
  gameKeysOf,
  hudContent,
  Intro,
  isTouched,
  type KeyBinding,
  type KeyBindings,
  KeyHelp,
  LegendStrip,
  loadQrCode,
  PlayerDesk,
  phonePlacesOf,
  SoundCues,
  Speaker,
  Stage,
  StageTools,
  setText,
  shopViewOf,
  shortageOf,
  Tabs,
  textButton,
  toggleTheme,
  viewKeys,
  zoomKeys,
} from '../../../viewer/index.ts';
import { askForm, type Field } from '../ask-form.ts';
import { insightAddress, operatorToken } from '../operator.ts';
import { reasonOf } from '../reasons.ts';
import { type RoomTab, roomContent, roomTabs } from './lists.ts';
import { RoomScene } from './room-scene.ts';

const listingMs = 200;

interface RoomPageOptions {
  readonly definition: Definition;
  /** The names of the regions in which the game opens a shop. */
  readonly shopRegions: readonly string[];
  readonly client: RoomClient;
  /** Loads the prediction of the player's own unit. `held`: the inputs in effect when it is loaded. */
  readonly predict: (held: () => readonly ClientInput[]) => Promise<Prediction>;
  readonly title: string;
  /** The URL by which others enter the room. */
  readonly link: string;
  readonly isWatching: boolean;
  /** The events received so far. */
  readonly events: readonly ClientEvent[];
  /** Returns to the list of rooms. */
  readonly leave: () => void;
  /** Joins the room anew. */
  readonly again: () => void;
}

/** The reasons why a player cannot chat, for people. */
const chatReasons = {
  open: '',
  'not-permitted': 'Your role is not allowed to chat in this game.',
  muted: 'You have been muted and cannot chat.',
} as const;

/** The reasons why a report was refused, for people. */
const reportRefusals: Partial<Record<Code, string>> = {
  refused: 'this server does not accept reports.',
  'too-many': 'you have sent too many reports. Try again in a minute.',
  'no-such-player': 'the player has left.',
  'not-durable': 'the server could not store the report. Try again.',
};

/** The page for playing in a room or watching it. It has the same stage as the journal page. */
export class RoomPage {
  private readonly scene: RoomScene;
  private readonly stage: Stage;
  private readonly tabs: Tabs<RoomTab>;
  private readonly desk: PlayerDesk;
  private readonly tools: StageTools;
  private readonly banner = element('div.banner', { role: 'status', hidden: true });
  private readonly about = element('output#you.mono');
  /** The keys and slots that units use, by unit type. */
  private readonly repertoires: ReadonlyMap<string, Repertoire>;
  /** The type of the own unit, or of the last one; before the first, that of somebody else. */
  private unitType: string | undefined;
  private readonly help: KeyHelp;
  private readonly legend = new LegendStrip();
  private readonly ends = new AbortController();
  /** The prediction of the player's own unit; undefined until it is loaded, some time after the first input. */
  private prediction: Prediction | undefined;
  private isPredicting = false;
  /** The message of the moderator who removed the player. */
  private farewell = '';
  /** Whether a dialog of the page is open, other than the help. */
  private isAsking = false;
  /** Whether a report was sent and not answered yet. */
  private isReporting = false;
  /** The actions of the keys of the player's own unit. */
  private actions: readonly Action[] = [];
  private readonly effects: Effects;
  private readonly cues: SoundCues;
  private readonly speaker = new Speaker();
  /** The events since the last drawn frame that may have a sound or an effect. */
  private readonly unseen: ClientEvent[] = [];
  private readonly intro: Intro;
  private readonly inspectButton = textButton('Inspect', () => this.inspect(this.stage.isPlain), { id: 'details' });
  private listedMs = -Infinity;

  constructor(
    private readonly root: HTMLElement,
    private readonly options: RoomPageOptions,
  ) {
    const { definition, client, isWatching, title } = options;
    this.scene = new RoomScene(definition);
    this.stage = new Stage({ select: (id) => this.select(id), moved: () => this.tools.show() });
    this.stage.shopRegions = options.shopRegions;
    this.stage.camera.see(definition.settings.camera?.zoom?.default);
    this.repertoires = repertoiresByType(definition);
    const keys = gameKeysOf([...this.repertoires.values()]);
    const send = (input: DeskInput) => {
      if (isWatching) return;
      client.send(input);
      void this.predict();
    };
    this.desk = new PlayerDesk(this.stage, {
      send,
      say: isWatching ? undefined : (text) => client.send({ kind: 'chat', text }),
      shopOf: (event) => shopViewOf(definition, client.player, client.state.coins, event),
      isPlaying: () => !isWatching,
      isAsking: () => this.isAsking || this.help.isOpen || this.intro.isOpen,
      gameKeys: keys,
      pageKeys: () => pageKeys,
    });
    this.tabs = new Tabs<RoomTab>(roomTabs, isWatching ? 'players' : 'entity', {
      select: (id) => this.select(id),
      open: (tab) => this.openTab(tab),
    });
    this.tabs.root.addEventListener('click', ({ target }) => {
      const player = (target as HTMLElement).closest<HTMLElement>('[data-report]')?.dataset['report'];
      if (player !== undefined) void this.report(player);
    });
    this.tools = new StageTools(this.stage, { fit: '', follow: '' });
    this.effects = new Effects(definition);
    this.cues = new SoundCues(definition);
    this.intro = new Intro(definition, title, () => void this.predict());
    if (!isWatching) this.stage.control(this.desk.controls);
    const ports = {
      select: (id: string | undefined) => this.select(id),
      units: () => Array.from(client.state.all('unit'), ({ id }) => id),
    };
    const toChat: KeyBinding = { description: 'write a chat message', run: () => this.desk.chat.input.focus() };
    const pageKeys: KeyBindings = {
      ...(isWatching ? viewKeys(this.tools, ports) : { ...zoomKeys(this.tools), Enter: toChat, '/': toChat }),
      '?': { description: 'show keyboard shortcuts', run: () => this.help.open() },
    };
    this.help = new KeyHelp(
      () => pageKeys,
      () => (isWatching ? undefined : { keys, actions: this.actions }),
    );
    const leave = textButton('Leave', () => this.leave(), { id: 'leave' });
    root.replaceChildren(
      element(
        'header',
        element('h1', title),
        element('span.about', isWatching && 'You are watching. ', this.about),
        isWatching &&
          operatorToken() !== undefined &&
          element('a#insight', { href: insightAddress('room', client.welcome!.room) }, 'History'),
        button('✉', 'Invite friends', '', () => void this.invite(), 'invite'),
        this.inspectButton,
        this.speaker.root,
        button('⤢', 'Fill the screen', '', () => void toggleFullscreen(), 'fullscreen'),
        button('?', 'How to play', '?', () => this.explain()),
        button('◐', 'Switch between light and dark', '', () => toggleTheme(this.stage)),
        leave,
      ),
      element(
        'main.stage',
        element(
          'div.view',
          this.stage.canvas,
          this.desk.areas,
          this.banner,
          this.tools.root,
          !isWatching && this.desk.pad.root,
        ),
        this.legend.root,
      ),
      this.desk.deck,
      this.tabs.root,
      this.desk.windows.root,
      this.help.root,
      this.intro.root,
    );
    this.inspect(false);
    this.listen();
    for (const event of options.events) this.receive(event);
    if (client.pace !== undefined) this.tellPace(client.pace.reason);
    this.show(isWatching ? 'watching' : 'playing');
    this.stage.canvas.focus();
    if (!isWatching) this.intro.openOnce();
    requestAnimationFrame(this.frame);
  }

  private listen() {
    const { client } = this.options;
    const { signal } = this.ends;
    this.desk.listen(signal);
    // The mouse leaves the focus on the map, so that the next key goes to the game and not to a button.
    const keepFocus = (event: MouseEvent) => {
      if ((event.target as HTMLElement).closest('button') !== null) event.preventDefault();
    };
    this.root.addEventListener('mousedown', keepFocus, { signal });
    const stops = [
      client.on('event', (event) => this.receive(event)),
      client.on('result', (result) =>
        this.desk.chat.settle(result.sequence, 'refused' in result ? result.refused : undefined),
      ),
      client.on('reported', () => {
        this.isReporting = false;
        this.desk.chat.tell('The operator has received your report.');
      }),
      client.on('refused', ({ code, text }) => {
        if (code === 'kicked' && text !== code) this.farewell = ` ${text}`;
        if (!this.isReporting) return;
        this.isReporting = false;
        this.desk.chat.tell(`Your report was not sent: ${reportRefusals[code] ?? reasonOf(code)}`);
      }),
      client.on('pace', ({ reason }) => this.tellPace(reason)),
      client.on('lost', () => {
        this.say('Connection lost. Reconnecting …');
        this.show('lost');
      }),
      client.on('welcome', () => {
        this.scene.begin();
        this.banner.hidden = true;
        this.show(this.options.isWatching ? 'watching' : 'playing');
      }),
      client.on('end', ({ code }) => this.end(code)),
      client.on('error', (error) => {
        throw error;
      }),
    ];
    signal.addEventListener('abort', () => {
      for (const stop of stops) stop();
    });
  }

  /** Loads the prediction. The page works without it at first, so that the game appears sooner. */
  private async predict() {
    if (this.isPredicting) return;
    this.isPredicting = true;
    try {
      this.prediction = await this.options.predict(() => this.desk.controls.held);
      if (this.ends.signal.aborted) this.prediction.close();
    } catch {
      this.desk.chat.tell('A part of the page could not be loaded, so your unit reacts late. Reload the page.');
    }
  }

  private readonly frame = (now: number) => {
    if (this.ends.signal.aborted) return;
    const { client } = this.options;
    const unit = client.player?.cameraUnit ?? client.player?.selectedUnit;
    // Makes the camera follow the player's unit, also when the player gets another one.
    if (unit !== undefined && unit.id !== this.stage.anchor) this.tools.own(unit.id);
    const own = client.player?.selectedUnit;
    if (own !== undefined) this.desk.pad.aim(client.placeOf(own));
    const { prediction } = this;
    const scene = this.scene.of(client, now, prediction?.ghosts);
    const events = this.unseen.splice(0);
    this.stage.show(this.effects.of(scene, events, now));
    this.speaker.hear(this.cues.of(scene.figures, events), this.stage.camera);
    const held = prediction?.heldItem;
    this.desk.slots.cool(held?.readyShare ?? 1);
    this.showSlots();
    if (now - this.listedMs >= listingMs) {
      this.listedMs = now;
      this.legend.show(scene.figures);
      this.drawLists();
    }
    requestAnimationFrame(this.frame);
  };

  private receive(event: ClientEvent) {
    this.scene.receive(event, performance.now());
    // A hidden page draws no pictures, so it would collect all sounds and play them together later. Music is kept.
    if (!document.hidden || event.kind === 'music') this.unseen.push(event);
    const writer = event.kind === 'chat' ? String(event.fromPlayerId) : '';
    this.desk.receive(event, this.options.client.state.find(writer)?.name || writer);
  }

  private async invite() {
    const { link } = this.options;
    // Pages without TLS may not write to the clipboard.
    const isRefused = await navigator.clipboard?.writeText(link).catch(() => true);
    const copied = isRefused === undefined && navigator.clipboard ? 'Link copied. ' : '';
    const code = element('img.qr', { alt: 'The link as a QR code' });
    this.desk.controls.releaseAll();
    this.desk.windows.open(
      'invite',
      'Invite friends',
      true,
      element('p', `${copied}Friends can join this room with this link: ${link}`),
      code,
    );
    const { renderSVG } = await loadQrCode();
    code.src = `data:image/svg+xml,${encodeURIComponent(renderSVG(link))}`;
  }

  /** Asks for the reason of a report about a player, and sends the report. */
  private async report(player: string) {
    const { client } = this.options;
    const name = client.state.find(player)?.name || player;
    this.desk.controls.releaseAll();
    const label = 'What happened? The last 30 seconds of the game are sent with the report.';
    const why: Field = { name: 'text', label, required: true };
    this.isAsking = true;
    const given = await askForm(this.root, {
      title: `Report ${name} to the operator`,
      verb: 'Report',
      fields: [why],
    });
    this.isAsking = false;
    const { text } = given ?? {};
    if (text === undefined || this.ends.signal.aborted) return;
    if (client.player === undefined) this.desk.chat.tell('Your report was not sent: you are not connected.');
    else {
      this.isReporting = true;
      client.report(player, text);
    }
  }

  private drawLists() {
    const { client, definition } = this.options;
    const { player } = client;
    this.desk.chat.close(chatReasons[player?.chat ?? 'open']);
    const unit = player?.selectedUnit;
    const other = [...client.state.all('unit')].find(({ owner }) => owner?.isHuman);
    this.unitType = unit?.type?.key ?? this.unitType ?? other?.type?.key;
    const { unitType } = this;
    const can = this.repertoires.get(unitType ?? '');
    const actions = actionsOf(definition, unitType, can?.keys ?? []);
    this.actions = actions;
    const held = unit?.items.find(({ isHeld }) => isHeld);
    const shortage = shortageOf(definition, unit, held?.type?.key, held && this.quantityOf(held));
    const kind = definition.unitTypes.get(unitType ?? '')?.name || 'unit';
    this.desk.tell(unit && { id: unit.id, kind }, shortage, actions);
    const people = [...client.state.all('player')].filter(({ isHuman }) => isHuman);
    this.desk.hud.show(hudContent(definition, player, unit, people));
    const { pad } = this.desk;
    pad.root.hidden = unit === undefined;
    pad.show(actions, phonePlacesOf(definition, unitType));
    this.stage.fingersOnlyPoint = pad.hasAim && (can?.movement === 'both' || can?.movement === 'horizontal');
    if (player) this.intro.show(player, unitType, can?.movement ?? 'none', actions, this.desk.hint.textContent);
    this.tabs.show(roomContent(this.tabs.current, definition, client, this.stage.selectedId));
    const { roundTripMs: trip } = client.clock;
    const { prediction } = this;
    // The delay is the first text, because phones cut off the end of the line.
    const about = [
      trip !== undefined && `${Math.round(trip)} ms`,
      prediction?.isActive && `${Math.round(prediction.leadMs)} ms ahead`,
      player?.name,
      unit && `${unit.id} at ${Math.round(unit.x)}, ${Math.round(unit.y)}`,
      `tick ${client.state.frame}`,
    ];
    setText(this.about, about.filter(Boolean).join(' · '));
    this.desk.showAreas([...client.shownTexts].filter(([, html]) => html !== ''));
  }

  private showSlots() {
    const { type, items, currentSlot } = this.options.client.player?.selectedUnit ?? {};
    const inSlot = (slot: number) => {
      const item = items?.find(({ slotIndex }) => slotIndex === slot);
      return item && { name: item.name, quantity: this.quantityOf(item) };
    };
    this.desk.slots.show(carriedOf(this.repertoires.get(type?.key ?? ''), inSlot, currentSlot));
  }

  /** The quantity of an item; if it is held, after the uses that the server does not know yet. */
  private quantityOf({ id, quantity }: Pick<Replica, 'id' | 'quantity'>) {
    const held = this.prediction?.heldItem;
    return id === held?.id ? held.quantity : quantity;
  }

  private select(id: string | undefined) {
    this.stage.selectedId = id;
    if (id === undefined && this.stage.anchor === undefined) this.stage.follows = false;
    this.tools.show();
    if (id === undefined) this.drawLists();
    else this.openTab('entity');
  }

  private openTab(tab: RoomTab) {
    this.tabs.choose(tab);
    this.drawLists();
  }

  /** Switches between the game alone, and the game with the details of the room next to it. */
  private inspect(isOn: boolean) {
    document.documentElement.dataset['mode'] = isOn ? 'inspect' : 'play';
    this.inspectButton.setAttribute('aria-pressed', String(isOn));
    this.stage.isPlain = !isOn;
    this.stage.draw();
  }

  /** Explains the controls: the sticks on a touch screen, otherwise the keys. */
  private explain() {
    if (this.options.isWatching || !isTouched()) this.help.open();
    else this.intro.open();
  }

  private tellPace(reason: string) {
    this.desk.chat.tell(toldOfPace(reason));
  }

  private say(text: string) {
    this.banner.hidden = false;
    setText(this.banner, text);
  }

  private show(state: 'playing' | 'watching' | 'lost' | 'ended') {
    document.documentElement.dataset['state'] = state;
  }

  private end(code: Code | undefined) {
    if (this.ends.signal.aborted) return;
    this.desk.controls.close();
    // A modal card would cover the reason.
    this.intro.root.close();
    this.say(`${reasonOf(code)}${code === 'kicked' ? this.farewell : ''}`);
    const again = () => {
      this.close();
      this.options.again();
    };
    // The room is still there, but the player's seat is not.
    const isBack = code === 'resume-unknown' || code === 'kicked' || code === 'idle';
    this.banner.append(
      ' ',
      ...(isBack ? [textButton('Play again', again, { class: 'main', id: 'again' }), ' '] : []),
      textButton('Back to the rooms', () => this.leave(), { class: !isBack && 'main' }),
    );
    this.show('ended');
  }

  private leave() {
    this.close();
    this.options.leave();
  }

  private close() {
    this.ends.abort();
    this.speaker.close();
    this.desk.controls.close();
    this.prediction?.close();
    this.options.client.leave();
    delete document.documentElement.dataset['mode'];
    this.root.replaceChildren();
  }
}

async function toggleFullscreen(): Promise<void> {
  // Phones without a full-screen mode reject the request.
  if (document.fullscreenElement === null) await document.documentElement.requestFullscreen?.().catch(() => {});
  else await document.exitFullscreen();
}
