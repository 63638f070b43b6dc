import { array, defaulted, entry, ignoredFields, integer, key, map, number, string } from './schema.ts';

const option = entry('DialogueOption', 'A choice.', {
  name: defaulted(string, ''),
  /** Global script that runs when the option is chosen. */
  scriptName: key,
  /** Dialogue that opens next. */
  followUpDialogue: key,
  ...ignoredFields('order'),
});

/** The texts and questions that a player is shown (reference: buffs-and-unused#sections). */
const dialogue = entry('Dialogue', 'What a player is told and asked.', {
  name: defaulted(string, ''),
  dialogueTitle: string,
  image: string,
  message: string,
  letterPrintSpeed: number,
  options: defaulted(array(option), []),
  streamMode: integer,
});
export const dialogues = map(dialogue);
