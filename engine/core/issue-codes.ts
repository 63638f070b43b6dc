/**
 * All codes that checking a definition can report, with their severity and their sentence in `docs/issues.md`. Codes are stable: a code is never
 * renamed, and its meaning never changes.
 */
export const issueCodes = {
  // The document itself.
  'unreadable-file': {
    severity: 'error',
    about: 'The file is missing, a directory, not permitted or damaged; nothing was read.',
  },
  'too-large': { severity: 'error', about: 'The document is larger than the limit; it was not parsed.' },
  'too-deep': {
    severity: 'error',
    about: 'Objects and arrays are nested deeper than the limit; the document was not parsed.',
  },
  'syntax-error': { severity: 'error', about: 'The text is not JSON.' },
  'forbidden-key': {
    severity: 'error',
    about: 'A key such as `__proto__`, which could change the behaviour of the host, is not allowed.',
  },
  'duplicate-key': { severity: 'warning', about: 'An object has the same key twice; JSON keeps the last one.' },
  'not-a-definition': { severity: 'error', about: 'The document has none of the three forms of a definition.' },
  'status-not-success': { severity: 'error', about: '`gameJson.status` is not `success`.' },
  // Fields.
  'wrong-type': { severity: 'error', about: 'A field has a value of the wrong type.' },
  'wrong-value': {
    severity: 'error',
    about: 'A field has a value outside the set or range that the specification allows.',
  },
  'missing-field': { severity: 'error', about: 'A required field is missing.' },
  'unknown-field': { severity: 'warning', about: 'A field that is not in the specification; it is ignored.' },
  'unknown-value': {
    severity: 'warning',
    about: 'A field has an unknown word; its default is used.',
  },
  'attribute-out-of-bounds': {
    severity: 'warning',
    about: 'An attribute starts outside its own `min`..`max`; it is clamped.',
  },
  'attribute-bounds-crossed': { severity: 'warning', about: "An attribute's `min` is greater than its `max`." },
  'map-size-mismatch': {
    severity: 'error',
    about: 'The number of tiles of a layer is not its width times its height.',
  },
  'negative-size': { severity: 'warning', about: 'A width, height or radius is below 0.' },
  'unknown-key': {
    severity: 'warning',
    about: 'A key binding is for a key that no client sends; letters are lower-case.',
  },
  'item-not-carried': {
    severity: 'warning',
    about: 'A unit type starts with an item whose `carriedBy` does not list it.',
  },
  'outside-map': { severity: 'warning', about: 'A region or position is completely outside the map.' },
  'rate-not-positive': { severity: 'warning', about: '`frameRate` or `engineTickRate` is 0 or less; it is clamped.' },
  // References.
  'dangling-script': { severity: 'warning', about: 'A reference to a script that does not exist.' },
  'dangling-ability': { severity: 'warning', about: 'A reference to an ability that does not exist.' },
  'dangling-item-type': { severity: 'warning', about: 'A reference to an item type that does not exist.' },
  'dangling-unit-type': { severity: 'warning', about: 'A reference to a unit type that does not exist.' },
  'dangling-projectile-type': { severity: 'warning', about: 'A reference to a projectile type that does not exist.' },
  'dangling-player-type': { severity: 'warning', about: 'A reference to a player type that does not exist.' },
  'dangling-attribute': { severity: 'warning', about: 'A reference to an attribute that no type declares.' },
  'dangling-variable': { severity: 'warning', about: 'A reference to a variable that is not declared.' },
  'dangling-state': { severity: 'warning', about: 'A reference to a state that no type has.' },
  'dangling-body': { severity: 'warning', about: 'A state names a body that its type does not have.' },
  'dangling-animation': { severity: 'warning', about: 'A state names an animation that its type does not have.' },
  'dangling-shop': { severity: 'warning', about: 'A reference to a shop that does not exist.' },
  'dangling-dialogue': { severity: 'warning', about: 'A reference to a dialogue that does not exist.' },
  'dangling-folder': { severity: 'warning', about: 'A `parent` names a folder that does not exist.' },
  'dangling-tileset': { severity: 'warning', about: 'A tile number of the map does not belong to any tileset.' },
  'dangling-release': { severity: 'warning', about: '`releaseId` is not among `defaultData.releases`.' },
  'dangling-role': { severity: 'warning', about: 'A script names a role that `roles` does not have.' },
  'dangling-buff': { severity: 'warning', about: 'An item names a buff that `buffTypes` does not have.' },
  'dangling-binding': {
    severity: 'warning',
    about: 'A key binding refers to something that is neither a script nor an ability.',
  },
  'dangling-media': {
    severity: 'info',
    about: 'A reference to a sound, music or particle that does not exist.',
  },
  // Scripts.
  'unknown-trigger': { severity: 'error', about: 'A script has a trigger that no engine fires.' },
  'unknown-action': {
    severity: 'error',
    about: 'An unknown action type; the action does nothing at run time.',
  },
  'unknown-function': {
    severity: 'error',
    about: 'An unknown value function; it returns undefined at run time.',
  },
  'unknown-parameter': { severity: 'info', about: 'A parameter that the operation does not have; it is ignored.' },
  'misspelt-parameter': {
    severity: 'warning',
    about: 'A parameter that the operation does not have, similar to one that it has and that is missing.',
  },
  'missing-parameter': {
    severity: 'warning',
    about: 'A required parameter of an operation is missing or null; the operation does nothing.',
  },
  'wrong-parameter': { severity: 'warning', about: 'A literal parameter has the wrong type or shape.' },
  'malformed-condition': {
    severity: 'warning',
    about:
      'A condition does not have the form `[{operator}, left, right]`. Without an operator it is false; a missing operand is undefined.',
  },
  'constant-condition': {
    severity: 'warning',
    about: 'A condition is always true or always false. (The default `true == true` of editors is not reported.)',
  },
  'malformed-action': {
    severity: 'warning',
    about: 'An entry of an action list is not an action object; it is skipped.',
  },
  'nobody-may-play': { severity: 'warning', about: 'No role lets logged-in users or guests play.' },
  'useless-item': {
    severity: 'warning',
    about:
      'An item can never be used, or its use has no effect: no `type`, no `fireRate`, or in `moddio` no state `dropped`.',
  },
  'slot-conflict': {
    severity: 'warning',
    about: 'A unit type starts with more items than it has permitted slots for.',
  },
  'empty-body': {
    severity: 'warning',
    about:
      'A physical body without fixtures, with sensors only, of width or height 0, or with a negative density: it collides with nothing, or has no mass.',
  },
  'incomplete-state': {
    severity: 'warning',
    about: 'A type without a state `default`, or whose state `default` names no body.',
  },
  'bad-frame': {
    severity: 'warning',
    about: 'A frame of an animation lies outside the cell sheet; frames count from 1.',
  },
  'wrong-unit': {
    severity: 'warning',
    about:
      'A number that is probably in another unit than the field: seconds for milliseconds, degrees for radians, tiles for pixels.',
  },
  'useless-ai': {
    severity: 'warning',
    about: 'An AI that never does what its settings say: it is not enabled, cannot move, or senses nothing.',
  },
  'empty-option': { severity: 'warning', about: 'An option of a dialogue without a text or a consequence.' },
  'no-walls': {
    severity: 'warning',
    about: 'The map has no layer called `walls`, so nothing stops bodies.',
  },
  'same-layer': { severity: 'warning', about: 'The map has several layers called `walls`; only the last one counts.' },
  'empty-region': {
    severity: 'warning',
    about: 'A region of width or height 0: nothing enters it.',
  },
  'out-of-range': {
    severity: 'warning',
    about: 'A number in the metadata or a type is outside the range in which it has the intended effect.',
  },
  // The list itself.
  'more-issues': {
    severity: 'info',
    about:
      'More than 10,000 issues of one severity were found; this one gives the number of those that are not listed.',
  },
} as const satisfies Record<string, { severity: Severity; about: string }>;

export type Severity = 'error' | 'warning' | 'info';
export type IssueCode = keyof typeof issueCodes;
