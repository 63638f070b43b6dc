import { button, element, saveFile, setText, textButton } from '../viewer/index.ts';

/** A file to save. `name` has no extension. */
export interface SavedFile {
  readonly label: string;
  readonly about: string;
  readonly ending: string;
  readonly make: (name: string) => Promise<Blob>;
}

interface Shared {
  readonly link: string;
  readonly title: string;
  readonly tick: number;
  readonly hash: string;
  readonly files: readonly SavedFile[];
}

/** Links longer than this, in characters, are cut off by many messaging programs. */
const longLink = 8000;

/** The dialog with the link to the moment that is shown, and with files to save. */
export class ShareDialog {
  readonly root = element('dialog.window', { 'aria-labelledby': 'share-title' });

  open({ link, title, tick, hash, files }: Shared) {
    const field = element('input#link', {
      type: 'text',
      readonly: true,
      'aria-label': 'Link to this moment',
      value: link,
    });
    const says = element('output.soft', { 'aria-live': 'polite' });
    const copyLink = () => {
      field.select();
      void navigator.clipboard.writeText(link).then(
        () => setText(says, 'Copied.'),
        () => setText(says, 'The browser does not allow copying. Press Ctrl+C.'),
      );
    };
    const copy = textButton('Copy link', copyLink, { class: 'main', id: 'copy' });
    const name =
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
        .replaceAll(/^-|-$/g, '') || 'game';
    const buttons = files.map(({ label, about, ending, make }) => {
      const makeAndSave = () => {
        setText(says, `${label} …`);
        make(name).then(
          (blob) => {
            saveFile(blob, `${name}${ending}`);
            setText(says, `Saved ${name}${ending}, ${Math.ceil(blob.size / 1000)} kB.`);
          },
          (error: Error) => setText(says, error.message),
        );
      };
      return textButton(label, makeAndSave, { id: `save${ending.replaceAll('.', '-')}`, title: about });
    });
    this.root.replaceChildren(
      element(
        'header',
        element('h2#share-title', 'Share this moment'),
        button('✕', 'Close', 'Esc', () => this.root.close()),
      ),
      element(
        'div.shared',
        element(
          'p',
          `Whoever opens the link sees tick ${tick} with the same state (hash `,
          element('code', hash),
          ').',
        ),
        element('div.row', field, copy),
        link.length > longLink &&
          element(
            'p.soft',
            `The link carries the whole game: ${Math.round(link.length / 1000)} kB. Messaging programs may cut off such a long link.`,
          ),
        element('h3', 'Save'),
        element('div.row', ...buttons),
        says,
      ),
    );
    this.root.showModal();
  }
}
