import { hookFile, projectFiles } from '../text/index.ts';
import type { EnginePort } from './engine-port.ts';
import type { SavedFile } from './share-dialog.ts';

interface Sources {
  readonly port: EnginePort;
  readonly canvas: HTMLCanvasElement;
  readonly game: string;
  readonly scenarios: () => Promise<string>;
  readonly version: string;
}

/** The files that can be saved of a play. */
export function savedFiles({ port, canvas, game, scenarios, version }: Sources): readonly SavedFile[] {
  return [
    {
      label: 'Journal',
      about: 'The recording, for reenact replay and reenact view',
      ending: '.rj',
      make: async () => blobOf(await port.request('journal', null)),
    },
    {
      label: 'Scenario',
      about: 'A test that replays the saved journal with the saved game, and expects its state',
      ending: '.scenario.yaml',
      make: async (name) =>
        new Blob([await port.request('scenario', { game: `${name}.json`, journalFile: `${name}.rj` })]),
    },
    { label: 'Picture', about: 'What the stage shows', ending: '.png', make: () => pictureOf(canvas) },
    {
      label: 'Game',
      about: 'The definition',
      ending: '.json',
      make: async () => new Blob([game], { type: 'application/json' }),
    },
    {
      label: 'Project',
      about: 'A folder with game, scenarios, package.json and CI, as reenact init writes it',
      ending: '.zip',
      async make(name) {
        const files = projectFiles({
          name,
          game,
          scenarios: await scenarios(),
          dependencies: { reenact: `^${version}` },
        });
        const { zipOf } = await import('./zip.ts');
        return blobOf(zipOf(files, new Set([hookFile])), 'application/zip');
      },
    },
  ];
}

function blobOf(bytes: Uint8Array, type = 'application/octet-stream') {
  return new Blob([new Uint8Array(bytes)], { type });
}

function pictureOf(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((done, failed) =>
    canvas.toBlob(
      (blob) => (blob === null ? failed(new Error('The browser could not create the picture.')) : done(blob)),
      'image/png',
    ),
  );
}
