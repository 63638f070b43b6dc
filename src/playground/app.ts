import { messageOf } from '../../engine/core/index.ts';
import { coded } from '../run/index.ts';
import { titleOfFile } from '../text/index.ts';
import { element, setText, textButton } from '../viewer/index.ts';
import { EditPanel } from './edit-panel.ts';
import { EnginePort } from './engine-port.ts';
import {
  base64,
  bytesOf,
  type Example,
  exampleIn,
  fragmentOf,
  type GameSource,
  type Moment,
  momentIn,
} from './link.ts';
import { bytesOfAddress, documentBytesMax } from './load.ts';
import type { PlayScreen } from './play-screen.ts';
import { problemList } from './problem-list.ts';
import { type Sample, samples } from './samples.ts';
import { ShareDialog } from './share-dialog.ts';
import { StartScreen } from './start-screen.ts';
import { exampleScenario } from './test-panel.ts';
import type { GameDocument, Opened } from './worker-messages.ts';

/** A game to open, and how to play it. */
interface Choice {
  readonly source: GameSource;
  readonly name: string;
  readonly document: GameDocument;
  readonly bots?: number;
  readonly moment?: Moment | undefined;
  /** Loads the scenarios of the game, as text. */
  readonly scenarios?: (() => Promise<string>) | undefined;
}

const botsDefault = 8;
const noScenarios = async () => exampleScenario;

/** The playground: one screen at a time, and the worker of the game that is open. */
export class App {
  private readonly share = new ShareDialog();
  private startScreen: StartScreen | undefined;
  private play: PlayScreen | undefined;
  private port: EnginePort | undefined;
  /** The editor of a document that cannot be played. */
  private mending: EditPanel | undefined;

  constructor(private readonly root: HTMLElement) {
    // `popstate` also fires when the part after `#` is edited.
    addEventListener('popstate', () => void this.start());
    this.takeDrops();
  }

  /** Opens the game that the URL names, or the gallery. */
  start() {
    return this.trying(async () => {
      const moment = await momentIn(location.hash);
      const example = await exampleIn(location.hash);
      const named = new URLSearchParams(location.hash.slice(1));
      const sample = sampleOf(named.get('sample'));
      const url = named.get('url');
      if (moment !== undefined) await this.openMoment(moment);
      else if (example !== undefined) await this.openExample(example);
      else if (sample !== undefined) await this.openSample(sample);
      else if (named.has('sample')) this.choose(`There is no sample "${named.get('sample')}".`);
      else if (url !== null) await this.visitUrl(url);
      else this.choose('');
    });
  }

  private choose(fault: string) {
    this.end();
    document.title = 'Reenact playground';
    this.startScreen = new StartScreen(
      this.root,
      {
        sample: (sample) => this.visit(`#sample=${sample.key}`, () => this.openSample(sample)),
        file: (file) => this.visit('#file', () => this.openFile(file)),
        text: (text) =>
          this.visit('#text', () => this.open({ source: { text, name: '' }, name: 'Pasted game', document: text })),
        url: (url) => this.visit(`#url=${encodeURIComponent(url)}`, () => this.openUrl(url)),
      },
      fault,
    );
  }

  /** Opens a game and adds a step to the browser's history, so that the back button leads to the gallery. */
  private visit(fragment: string, open: () => Promise<void>) {
    history.pushState(null, '', fragment);
    void this.trying(open);
  }

  /** Opens a dropped file on every screen; without this, the browser would leave the page to show the file. */
  private takeDrops() {
    const { classList } = document.documentElement;
    const files = ({ dataTransfer }: DragEvent): FileList | undefined =>
      dataTransfer?.types.includes('Files') === true ? dataTransfer.files : undefined;
    // Capturing listeners run before the editors, which would insert the text of the file.
    const capture = true;
    document.addEventListener(
      'dragover',
      (event) => {
        if (files(event) === undefined) return;
        event.preventDefault();
        classList.add('dropping');
      },
      { capture },
    );
    document.addEventListener('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) classList.remove('dropping');
    });
    document.addEventListener(
      'drop',
      (event) => {
        classList.remove('dropping');
        const dropped = files(event);
        if (dropped === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        const file = dropped[0];
        if (file !== undefined) this.visit('#file', () => this.openFile(file));
      },
      { capture },
    );
  }

  private async trying(open: () => Promise<void>) {
    try {
      await open();
    } catch (error) {
      this.choose(messageOf(error));
    }
  }

  private async openSample(sample: Sample, moment?: Moment, given?: () => Promise<string>) {
    this.wait(sample.title);
    const document = await bytesOfAddress(`games/${sample.key}.json`);
    const own = async () => new TextDecoder().decode(await bytesOfAddress(`games/${sample.key}.scenario.yaml`));
    const scenarios = given ?? own;
    const { title: name, key, bots } = sample;
    await this.open({ source: { sample: key }, name, document, bots, moment, scenarios });
  }

  private async openExample({ game, scenarios: text }: Example) {
    const scenarios = text === undefined ? undefined : async () => text;
    const sample = 'sample' in game ? sampleOf(game.sample) : undefined;
    if (sample !== undefined) await this.openSample(sample, undefined, scenarios);
    else if ('text' in game) {
      await this.open({ source: game, name: titleOfFile(game.name), document: game.text, scenarios });
    } else throw new Error('This page does not have the game of the link.');
    if (scenarios !== undefined) this.play?.openTests();
  }

  private async openFile(file: File) {
    this.wait(file.name);
    // Reads one byte more than the limit at most: a larger file is refused, and the rest would only fill the memory.
    const document = new Uint8Array(await file.slice(0, documentBytesMax + 1).arrayBuffer());
    const name = titleOfFile(file.name.replace(/\.gz$/, ''));
    await this.open({ source: { text: '', name: file.name }, name, document });
  }

  private async openUrl(url: string, moment?: Moment) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new Error(`"${url}" is not an http:// or https:// URL.`);
    this.wait(url);
    const name = titleOfFile(new URL(url).pathname);
    const document = await bytesOfAddress(url);
    await this.open({ source: { url }, name, document, moment });
  }

  private async openMoment(moment: Moment) {
    const { game } = moment;
    if ('sample' in game) {
      const sample = sampleOf(game.sample);
      if (sample === undefined) throw new Error(`There is no sample "${game.sample}".`);
      await this.openSample(sample, moment);
    } else if ('url' in game) await this.visitUrl(game.url, moment);
    else await this.open({ source: game, name: titleOfFile(game.name), document: game.text, bots: 0, moment });
  }

  /** Asks before loading a game from another server: a link alone must not make this page contact a server. */
  private async visitUrl(given: string, moment?: Moment) {
    const url = URL.canParse(given, location.href) ? new URL(given, location.href).href : given;
    const open = () => this.openUrl(url, moment);
    if (url.startsWith(`${location.origin}/`)) return open();
    this.end();
    const where = URL.canParse(url) ? new URL(url).host : url;
    const load = textButton(`Load the game from ${where}`, () => this.trying(open), { class: 'main', id: 'load' });
    const title = element('h1', 'The game of this link is on another server');
    this.explain('asking', title, element('p.mono', url), load);
    load.focus();
  }

  /** A screen with some content and the way back to the gallery. */
  private explain(state: 'asking' | 'broken' | 'died', ...content: readonly Node[]) {
    const back = textButton('‹ Games', () => this.leave(), { class: 'back' });
    this.root.replaceChildren(element('main.broken', back, ...content));
    document.documentElement.dataset['state'] = state;
    back.focus();
  }

  /** Shows that a game is being loaded. Returns a function that reports progress. */
  private wait(name: string) {
    this.end();
    const bar = element('progress', { max: 1, value: 0, 'aria-label': 'Progress' });
    const says = element('p.soft', { role: 'status' }, 'Loading …');
    const stop = textButton('Stop', () => this.leave());
    this.root.replaceChildren(element('main.wait', element('h1', name), bar, says, stop));
    document.documentElement.dataset['state'] = 'loading';
    return (share: number, doing: string) => {
      bar.value = share;
      setText(says, `${doing} …`);
    };
  }

  private async open(choice: Choice) {
    const { name, document: bytes, bots = botsDefault, moment } = choice;
    const report = this.wait(name);
    const port = new EnginePort((why) => this.died(port, name, why));
    this.port = port;
    const beginning = {
      seed: moment?.seed ?? 'reenact',
      dialect: moment?.dialect ?? 'standard',
      snapshot: moment?.snapshot === undefined ? undefined : bytesOf(moment.snapshot),
    };
    const repeat = moment && { orders: moment.orders, tick: moment.tick };
    const asked = { document: bytes, beginning, bots, repeat };
    // The screen is imported on demand, because the gallery does not need it.
    const [opened, screen] = await Promise.all([port.request('open', asked, report), import('./play-screen.ts')]);
    if (this.port !== port) return;
    if (opened.game === undefined) this.refuse(choice, opened);
    else this.begin(screen, choice, opened, port, beginning.seed);
  }

  private begin(
    { PlayScreen }: typeof import('./play-screen.ts'),
    { source, name, moment, scenarios = noScenarios }: Choice,
    { text: opened, errors, game }: Opened,
    port: EnginePort,
    seed: string,
  ) {
    const { title = name, rate, version } = game!;
    document.title = `${title} · Reenact`;
    const about = `${rate} ticks a second · seed ${seed} · version ${version}`;
    let text = opened;
    let given: GameSource = 'text' in source ? { text, name: source.name } : source;
    const play = new PlayScreen(
      this.root,
      { title, about, text },
      game!,
      port,
      {
        leave: () => this.leave(),
        stuck: () => this.died(port, title, coded('tick-too-long')),
        scenarios,
        share: () => void this.openShare(given, title, version, scenarios),
        edit: async (changed, isFromStart) => {
          const said = await this.edit(port, changed, isFromStart);
          if (said.isPlayed) [given, text] = [{ text: changed, name }, changed];
          return said.text;
        },
      },
      {
        selected: moment?.selected,
        tab: moment?.tab ?? 'all',
        script: moment?.script,
      },
    );
    this.play = play;
    this.root.append(this.share.root);
    if (errors > 0) play.tellErrors(errors);
    if (moment !== undefined) {
      play.pause();
      if (moment.version !== version)
        play.say(
          `This link was made with version ${moment.version}; this page has version ${version}, which may play the game differently.`,
        );
    }
  }

  /**
   * Plays a changed game: repeats the inputs up to the tick that is shown, or starts from the beginning. A play that
   * was branched from another one begins with a snapshot, so it has no inputs from the beginning; with a changed game,
   * it always starts from the beginning.
   */
  private async edit(port: EnginePort, text: string, isFromStart: boolean) {
    const { beginning, orders, tick } = await port.request('state', null);
    const { seed, dialect } = beginning;
    const repeats = !isFromStart && beginning.snapshot === undefined;
    const bots = orders.find((order) => order.kind === 'bots');
    const { game } = await port.request('open', {
      document: text,
      beginning: { seed, dialect },
      bots: bots?.count ?? botsDefault,
      repeat: repeats ? { orders, tick } : undefined,
    });
    if (game === undefined)
      return { isPlayed: false, text: 'This text is not a valid game. Its problems are listed below.' };
    this.play?.restart();
    return {
      isPlayed: true,
      text: repeats ? `Repeated ${tick} ticks with the changed game.` : 'Started again with the changed game.',
    };
  }

  private async openShare(game: GameSource, title: string, version: string, scenarios: () => Promise<string>) {
    const { play, port } = this;
    if (play === undefined || port === undefined) return;
    play.pause();
    const { beginning, orders, tick, hash } = await port.request('state', null);
    const { seed, dialect, snapshot } = beginning;
    const moment: Moment = {
      game,
      seed,
      dialect,
      orders,
      tick,
      hash,
      version,
      snapshot: snapshot && base64(snapshot),
      ...play.view,
    };
    const link = new URL(await fragmentOf(moment), location.href).href;
    const { savedFiles } = await import('./saved-files.ts');
    this.share.open({
      link,
      title,
      tick,
      hash,
      files: savedFiles({
        port,
        canvas: play.stage.canvas,
        version,
        game: play.texts.game,
        scenarios: async () => play.texts.scenarios ?? scenarios(),
      }),
    });
  }

  /**
   * Shows why a document cannot be played. If its text could be read, shows an editor in which the user can correct it.
   */
  private refuse(choice: Choice, { text, problems }: Opened) {
    const { name } = choice;
    this.end();
    const run = async (mended: string) => {
      await this.open({ ...choice, source: { text: mended, name }, document: mended, moment: undefined });
      return '';
    };
    this.mending = new EditPanel(text, run, true);
    const shown = text === '' ? problemList(problems) : this.mending.root;
    this.explain('broken', element('h1', `${name} cannot be played`), shown);
    if (text !== '') void this.mending.open();
  }

  private died(port: EnginePort, name: string, why: string) {
    if (this.port !== port) return;
    this.end();
    const text = `The game needed more memory or time than a page may use, so it was ended. (${why})`;
    this.explain('died', element('h1', `${name} has stopped`), element('p', { role: 'alert' }, text));
  }

  private leave() {
    history.pushState(null, '', location.pathname + location.search);
    this.choose('');
  }

  private end() {
    this.startScreen?.close();
    this.play?.close();
    this.port?.close();
    this.mending?.close();
    this.share.root.close();
    this.startScreen = this.play = this.port = this.mending = undefined;
  }
}

function sampleOf(key: string | null) {
  return samples.find((each) => each.key === key);
}
