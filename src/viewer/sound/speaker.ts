import { cached } from '../../../engine/core/index.ts';
import type { Point } from '../../../engine/tools.ts';
import { element } from '../parts/element.ts';
import type { Cue } from './sound-cues.ts';

const onKey = 'reenact-sound';
const volumeKey = 'reenact-volume';
/** The maximum number of simultaneous sounds; further sounds are not played. */
const voicesMax = 24;
/** The distance from the listener at which a sound becomes inaudible, in world pixels. */
const reachPixels = 1500;

/**
 * Plays the sounds and the music of a game, and has controls for the volume, which the browser remembers. It is silent
 * until the user has pressed something, because browsers require that. A file that cannot be loaded is skipped.
 */
export class Speaker {
  private readonly isOn = element('input#sound', { type: 'checkbox', 'aria-label': 'Sound' });
  private readonly volume = element('input#volume', { type: 'range', 'aria-label': 'Volume' });
  readonly root = element('span.sound', element('label', { title: 'Sound' }, this.isOn, '♪'), this.volume);
  private output: GainNode | undefined;
  private readonly files = new Map<string, Promise<AudioBuffer | undefined>>();
  private readonly voices = new Map<AudioBufferSourceNode, Cue>();
  /** The latest cue for music, and the cue that is being played. */
  private music: Cue | undefined;
  private played: Cue | undefined;

  constructor() {
    this.isOn.checked = localStorage.getItem(onKey) !== 'false';
    this.volume.value = localStorage.getItem(volumeKey) ?? '70';
    this.root.addEventListener('input', () => {
      localStorage.setItem(onKey, String(this.isOn.checked));
      localStorage.setItem(volumeKey, this.volume.value);
      this.setVolume();
    });
  }

  /** Plays the sounds that begin now. Sounds are louder the nearer they are to the listener. Call it once per frame. */
  hear(cues: readonly Cue[], listener: Point) {
    this.music = cues.findLast(({ kind }) => kind === 'music') ?? this.music;
    // Some browsers from before 2024 lack `userActivation`; in these there is no sound.
    if (!navigator.userActivation?.hasBeenActive) return;
    if (this.output === undefined) {
      const context = new AudioContext();
      this.output = new GainNode(context);
      this.output.connect(context.destination);
      this.setVolume();
    }
    const context = this.output.context as AudioContext;
    // Phones suspend the context, for example during a call.
    if (context.state !== 'running') void context.resume();
    const next = this.music === this.played ? [] : [this.music!];
    this.played = this.music;
    for (const cue of [...next, ...cues.filter(({ kind }) => kind === 'sound')]) {
      if (cue.kind === 'music' || cue.url === undefined) this.stop(cue);
      if (cue.url !== undefined) void this.start(cue, cue.url, this.output, listener);
    }
  }

  close() {
    void (this.output?.context as AudioContext | undefined)?.close();
  }

  private setVolume() {
    const share = this.isOn.checked ? this.volume.valueAsNumber / 100 : 0;
    // The volume is squared, because loudness is perceived by ratios.
    if (this.output !== undefined) this.output.gain.value = share ** 2;
  }

  private async start(cue: Cue, url: string, output: GainNode, listener: Point) {
    const { x, y } = cue.at ?? listener;
    const nearness = 1 - Math.hypot(x - listener.x, y - listener.y) / reachPixels;
    const { context } = output;
    if (nearness <= 0) return;
    const file = cached(this.files, url, () => load(url, context).catch(() => undefined));
    const buffer = await file;
    const isReplaced = cue.kind === 'music' && cue !== this.music;
    if (buffer === undefined || isReplaced || this.voices.size >= voicesMax || context.state === 'closed') return;
    const voice = new AudioBufferSourceNode(context, { buffer, loop: cue.isLooped ?? false });
    voice.connect(new GainNode(context, { gain: cue.volume * nearness })).connect(output);
    voice.addEventListener('ended', () => this.voices.delete(voice));
    this.voices.set(voice, cue);
    voice.start(0, Math.max(0, cue.startSeconds ?? 0));
  }

  /** Stops a sound, or all music. */
  private stop({ kind, id }: Cue) {
    for (const [voice, cue] of this.voices) if (cue.kind === kind && (kind === 'music' || cue.id === id)) voice.stop();
  }
}

/** Sends neither cookies nor a referrer, so that the host of the file does not learn which page plays it. */
async function load(url: string, context: BaseAudioContext): Promise<AudioBuffer> {
  const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' });
  return context.decodeAudioData(await response.arrayBuffer());
}
