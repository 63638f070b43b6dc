import { Page } from '../../components/page.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { renderTemplate } from '../client/template.ts';
import { changes, changesIn, rule, starts, tells } from '../effects.ts';
import { readGlobal } from '../entities/variable.ts';
import type { Game } from '../game.ts';

export const dialogueChoice = rule(
  'choices in dialogues',
  ['dialogueOption'],
  changesIn('player', 'page'),
  changes('last'),
  starts('dialogue option'),
  tells('ui.dialogue'),
);

/**
 * Shows a player a dialogue whose text contains the current values of global variables. Returns false if the definition
 * has no such dialogue.
 */
export function openDialogue(game: Game, player: Entity, id: string): boolean {
  const { world } = game;
  const dialogue = game.definition.dialogues.get(id);
  if (dialogue === undefined || !world.is(player, Kind.player)) return false;
  world.ensure(player, Page).dialogue = id;
  const variables = plainGlobals(game);
  const values = { ...variables, playerName: world.components.name[rowOf(player)] };
  world.post('ui.dialogue', {
    op: 'open',
    dialogueId: id,
    title: renderTemplate(dialogue.dialogueTitle ?? '', values),
    message: renderTemplate(dialogue.message ?? '', values),
    options: dialogue.options.map((option) => ({ id: option.key, name: renderTemplate(option.name, values) })),
    playerName: world.components.name[rowOf(player)],
    variables,
    to: { player },
  });
  return true;
}

export function closeDialogue(game: Game, player: Entity): void {
  if (!game.world.is(player, Kind.player)) return;
  closePage(game.world, player);
  game.world.post('ui.dialogue', { op: 'close', to: { player } });
}

function closePage({ components }: World, player: Entity) {
  const page = components.page[rowOf(player)];
  if (page !== undefined) page.dialogue = undefined;
}

/**
 * Called when a player chooses an option: runs the option's script and opens the dialogue that follows. A player can
 * only choose from the dialogue that is being shown, and only once. Returns false for any other choice.
 */
export function chooseDialogueOption(game: Game, player: Entity, dialogueId: string, optionId: string): boolean {
  const { world } = game;
  const page = world.components.page[rowOf(player)];
  if (page === undefined || page.dialogue !== dialogueId) return false;
  const option = game.definition.dialogues.get(dialogueId)?.options.find(({ key }) => key === optionId);
  if (option === undefined) return false;
  closePage(world, player);
  world.memory.last.dialoguePlayer = player;
  const { scriptName, followUpDialogue } = option;
  if (scriptName !== undefined && !world.triggers.runScript(scriptName, noEntity, {})) {
    world.fault('no-such-script', `A dialogue option runs the script "${scriptName}", which does not exist.`);
  }
  if (followUpDialogue !== undefined && world.exists(player) && !openDialogue(game, player, followUpDialogue)) {
    world.fault(
      'no-such-reference',
      `A dialogue option opens the dialogue "${followUpDialogue}", which does not exist.`,
    );
  }
  return true;
}

/**
 * The global variables that hold a string, a number or a boolean. Reading a variable without a value moves its default
 * into the variable, as every read does (reference: operations#opendialogueforplayer).
 */
function plainGlobals({ world }: Game): Record<string, string | number | boolean> {
  const plain: Record<string, string | number | boolean> = {};
  for (const name of world.globals.layout.names) {
    const value = readGlobal(world, name);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      Object.defineProperty(plain, name, { value, enumerable: true });
    }
  }
  return plain;
}
