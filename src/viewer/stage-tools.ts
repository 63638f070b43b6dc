import { button, element } from './element.ts';
import type { Stage } from './stage.ts';

/** The buttons over a stage: zoom, the whole map, following, and `more` of the page's own. */
export class StageTools {
  readonly root: HTMLElement;
  private readonly stage: Stage;
  private readonly followButton: HTMLButtonElement;

  /** `keys` are the names of keys on the buttons; none where keys play the game. */
  constructor(stage: Stage, keys: { readonly fit: string; readonly follow: string }, ...more: readonly HTMLElement[]) {
    this.stage = stage;
    this.followButton = button('◎', 'Follow the chosen entity', keys.follow, this.follow);
    this.root = element(
      'div',
      { class: 'tools' },
      button('+', 'Nearer', '+', () => stage.zoomBy(1.3)),
      button('−', 'Farther', '-', () => stage.zoomBy(1 / 1.3)),
      button('⤢', 'The whole map', keys.fit, this.fit),
      this.followButton,
      ...more,
    );
    this.show();
  }

  /** Starts or stops to keep the chosen entity in the middle. */
  readonly follow = (): void => {
    this.stage.follow(!this.stage.follows);
    this.show();
  };

  readonly fit = (): void => {
    this.stage.fit();
    this.show();
  };

  /** To be called when something else has changed what the stage follows. */
  show(): void {
    this.followButton.setAttribute('aria-pressed', String(this.stage.follows));
    this.followButton.disabled = !this.stage.canFollow;
  }
}
