import { element } from '../parts/element.ts';
import type { Cue } from './sound-cues.ts';

const mutedKey = 'reenact-muted';
const volumeKey = 'reenact-volume';
/** More sounds at a time are left out. */
const voicesMax = 24;
/** How far a sound is heard, in world pixels. */
const reachPixels = 1500;

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Plays the sounds and the music of a game, and has the controls for their volume, which the browser remembers. Silent
 * until the person has pressed something, because browsers require that. A file that cannot be loaded is not heard.
 */
export class Speaker {
  readonly root: HTMLElement;
  private readonly isOn = element('input', { type: 'checkbox', id: 'sound-on' });
  private readonly volume = element('input', { type: 'range', id: 'sound-volume', min: 0, max: 100 });
  private context: AudioContext | undefined;
  private output: GainNode | undefined;
  private readonly files = new Map<string, Promise<AudioBuffer | undefined>>();
  private readonly voices = new Map<AudioBufferSourceNode, Cue>();
  /** The last cue for music, and the last one that was followed. */
  private music: Cue | undefined;
  private played: Cue | undefined;

  constructor() {
    const { isOn, volume } = this;
    isOn.checked = localStorage.getItem(mutedKey) === null;
    volume.value = localStorage.getItem(volumeKey) ?? '70';
    this.root = element(
      'details',
      { class: 'layers sound' },
      element('summary', { title: 'Sound', 'aria-label': 'Sound' }, '♪'),
      element(
        'div',
        { class: 'layer-list', role: 'group', 'aria-label': 'Sound' },
        element('label', {}, isOn, ' Sound'),
        element('label', {}, 'Volume ', volume),
      ),
    );
    this.root.addEventListener('input', () => {
      if (isOn.checked) localStorage.removeItem(mutedKey);
      else localStorage.setItem(mutedKey, 'yes');
      localStorage.setItem(volumeKey, volume.value);
      this.setVolume();
    });
  }

  /** Plays what begins now. Sounds are louder the nearer they are to the listener. Call it for every picture. */
  hear(cues: readonly Cue[], listener: Point): void {
    this.music = cues.findLast(({ kind }) => kind === 'music') ?? this.music;
    if (!navigator.userActivation.hasBeenActive) return;
    if (this.output === undefined) {
      this.context = new AudioContext();
      this.output = new GainNode(this.context);
      this.output.connect(this.context.destination);
      this.setVolume();
    }
    // Phones interrupt it, such as for a call.
    if (this.context!.state !== 'running') void this.context!.resume();
    if (this.music !== this.played) {
      this.stop('music');
      this.played = this.music;
      if (this.music !== undefined) void this.start(this.music, listener);
    }
    for (const cue of cues) {
      if (cue.kind === 'music') continue;
      if (cue.url === undefined) this.stop('sound', cue.id);
      else void this.start(cue, listener);
    }
  }

  close(): void {
    void this.context?.close();
  }

  private setVolume(): void {
    const { isOn, volume, output } = this;
    // Squared, because the ear hears ratios.
    if (output !== undefined) output.gain.value = isOn.checked ? (volume.valueAsNumber / 100) ** 2 : 0;
  }

  private async start(cue: Cue, listener: Point): Promise<void> {
    const { x, y } = cue.at ?? listener;
    const nearness = 1 - Math.hypot(x - listener.x, y - listener.y) / reachPixels;
    if (cue.url === undefined || nearness <= 0) return;
    const buffer = await this.fileAt(cue.url);
    const isOver = cue.kind === 'music' && cue !== this.music;
    const context = this.context!;
    if (buffer === undefined || isOver || this.voices.size >= voicesMax || context.state === 'closed') return;
    const voice = new AudioBufferSourceNode(context, { buffer, loop: cue.isLooped });
    const pan = Math.min(1, Math.max(-1, (x - listener.x) / reachPixels));
    voice
      .connect(new GainNode(context, { gain: cue.volume * nearness }))
      .connect(new StereoPannerNode(context, { pan }))
      .connect(this.output!);
    voice.addEventListener('ended', () => this.voices.delete(voice));
    this.voices.set(voice, cue);
    voice.start(0, cue.startSeconds);
  }

  private stop(kind: Cue['kind'], id?: string): void {
    for (const [voice, cue] of this.voices) if (cue.kind === kind && (id === undefined || cue.id === id)) voice.stop();
  }

  private fileAt(url: string): Promise<AudioBuffer | undefined> {
    let file = this.files.get(url);
    if (file === undefined) {
      file = this.load(url).catch(() => undefined);
      this.files.set(url, file);
    }
    return file;
  }

  private async load(url: string): Promise<AudioBuffer> {
    // Its host need not know which page plays it.
    const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    return this.context!.decodeAudioData(await response.arrayBuffer());
  }
}
