import { array, defaulted, entry, ignoredFields, key, map, notNegative, string } from './schema.ts';
import { name, streamMode } from './shared-fields.ts';

const option = entry('DialogueOption', 'A choice.', {
  name,
  /** Global script that runs when the option is chosen. */
  scriptName: ['The script that runs.', key],
  followUpDialogue: ['The dialogue that follows.', key],
  ...ignoredFields({ order: "The position in the editor's list." }),
});

/** The texts and questions that a player is shown (reference: buffs-and-unused#sections). */
const dialogue = entry('Dialogue', 'A message to a player, with options to choose from.', {
  name,
  dialogueTitle: ['The title of the dialogue window.', string],
  image: ['The URL of an image.', string],
  message: ['The message that is shown.', string],
  letterPrintSpeed: ['How fast the letters of the text appear.', notNegative],
  options: ['The options that the player can choose.', defaulted(array(option), [])],
  streamMode,
});
export const dialogues = map(dialogue);
