import { button, element } from '../parts/element.ts';
import type { Stage } from './stage.ts';

/** The buttons on a stage: zoom, show the whole map, follow, and additional buttons of the page. */
export class StageTools {
  readonly root: HTMLElement;
  private readonly followButton: HTMLButtonElement;

  /** `keys` are the keyboard shortcuts shown on the buttons; empty if the keys control the game. */
  constructor(
    readonly stage: Stage,
    keys: { readonly fit: string; readonly follow: string },
    ...more: readonly HTMLElement[]
  ) {
    this.followButton = button('◎', 'Follow the selected entity', keys.follow, this.follow);
    this.root = element(
      'div.tools',
      button('+', 'Zoom in', '+', () => stage.zoomBy(1.3)),
      button('−', 'Zoom out', '-', () => stage.zoomBy(1 / 1.3)),
      button('⤢', 'Show the whole map', keys.fit, this.fit),
      this.followButton,
      ...more,
    );
    this.show();
  }

  /** Starts or stops following the selected entity. */
  readonly follow = () => {
    this.stage.follow(!this.stage.follows);
    this.show();
  };

  /** Keeps the player's own unit in the centre from now on; undefined if there is none. */
  own(id: string | undefined) {
    this.stage.anchor = id;
    this.stage.selectedId = id;
    this.stage.follow(true);
    this.show();
  }

  readonly fit = () => {
    this.stage.fit();
    this.show();
  };

  /** Updates the follow button. Call this after other code has changed what the stage follows. */
  show() {
    this.followButton.setAttribute('aria-pressed', String(this.stage.follows));
    this.followButton.disabled = !this.stage.canFollow;
  }
}
