import type { Dictionary } from './plain-object.ts';

export type Severity = 'error' | 'warning' | 'info';

/** The explanation of a code in `docs/issues.md`. Its examples are tested. */
export interface Explained {
  /** Default: `warning`. */
  readonly severity?: Severity;
  /** A sentence that says what the code reports. */
  readonly about?: string;
  /** Why the reported code is a mistake, and what to write instead. */
  readonly because: string;
  /**
   * A game in which the code is reported, as JSON: an object with sections of a definition, or a list of actions, which
   * then run at `gameStart`. Sections that are absent are empty.
   */
  readonly wrong: string;
  /** Nearly the same game, in which the code is not reported. */
  readonly right: string;
}

/**
 * For codes whose example would have to be a missing file or a file of several megabytes: the documentation shows no
 * example.
 */
const notShown = { wrong: '', right: '' };

const rows = {
  // Codes about the document itself. Their examples are whole files.
  'unreadable-file': {
    severity: 'error',
    about: 'The file is missing, is a directory, is damaged, or may not be read.',
    because: 'Check the name and permissions of the file.',
    ...notShown,
  },
  'too-large': {
    severity: 'error',
    about: 'The document is larger than the limit, so it was not parsed.',
    because:
      'Parsing a larger document could exhaust the memory. A game usually has a few megabytes; store pictures and sounds in separate files.',
    ...notShown,
  },
  'too-deep': {
    severity: 'error',
    about: 'Objects and arrays are nested deeper than the limit, so the document was not parsed.',
    because: 'Parsing deeper nesting could exhaust the stack. Move inner actions into separate scripts.',
    ...notShown,
  },
  'syntax-error': {
    severity: 'error',
    about: 'The text is not JSON.',
    because:
      'The game cannot be read. The location is the first character that does not fit JSON; the mistake is often just before this character.',
    wrong: `{ "data": { "scripts": {}, } }`,
    right: `{ "data": { "scripts": {} } }`,
  },
  'forbidden-key': {
    severity: 'error',
    about:
      'The document has the key `__proto__`, `constructor` or `prototype`, which could change the behaviour of the host program.',
    because: 'Editors never write these keys. Rename or delete the entry.',
    wrong: `{ "data": { "variables": { "__proto__": { "dataType": "number" } } } }`,
    right: `{ "data": { "variables": { "proto": { "dataType": "number" } } } }`,
  },
  'duplicate-key': {
    about: 'An object has the same key twice; only the last entry counts.',
    because: 'The first entry is lost. Rename or delete one of the two entries.',
    wrong: `{ "data": { "playerTypes": { "human": {}, "human": {} } } }`,
    right: `{ "data": { "playerTypes": { "human": {}, "robot": {} } } }`,
  },
  'not-a-definition': {
    severity: 'error',
    about: 'The document has none of the three forms of a definition.',
    because:
      'There is nothing to play. A definition is an object with sections such as `unitTypes`, either bare, in `data`, or in `gameJson.data`.',
    wrong: `{ "game": { "unitTypes": {} } }`,
    right: `{ "data": { "unitTypes": {} } }`,
  },
  'status-not-success': {
    severity: 'error',
    about: '`gameJson.status` is not `success`.',
    because: 'The service answered with an error instead of the game. Download it again.',
    wrong: `{ "gameJson": { "status": "failed", "data": { "unitTypes": {} } } }`,
    right: `{ "gameJson": { "status": "success", "data": { "unitTypes": {} } } }`,
  },
  // Codes about fields.
  'wrong-type': {
    severity: 'error',
    about: 'A field has a value of the wrong type.',
    because: 'The value is treated as absent. Write a value of the type that the message names.',
    wrong: `{ "unitTypes": { "hero": { "inventorySize": "many" } } }`,
    right: `{ "unitTypes": { "hero": { "inventorySize": 5 } } }`,
  },
  'wrong-value': {
    severity: 'error',
    about: 'A field has a value outside the set or range that the specification allows.',
    because: 'The value is treated as absent. The message lists the allowed values.',
    wrong: `{ "map": { "width": -1, "height": 0, "layers": [] } }`,
    right: `{ "map": { "width": 0, "height": 0, "layers": [] } }`,
  },
  'out-of-range': {
    about: 'A number is outside the range in which it has the intended effect.',
    because:
      'The number is used as it is, is clamped, or makes another field useless. Write a number in the range that the message names.',
    wrong: `{ "itemTypes": { "bow": { "type": "weapon", "fireRate": -500 } } }`,
    right: `{ "itemTypes": { "bow": { "type": "weapon", "fireRate": 500 } } }`,
  },
  'missing-field': {
    severity: 'error',
    about: 'A required field is missing.',
    because: 'The object cannot be used without this field.',
    wrong: `{ "map": { "height": 0, "layers": [] } }`,
    right: `{ "map": { "width": 0, "height": 0, "layers": [] } }`,
  },
  'unknown-field': {
    about: 'A field is not in the specification, so it is ignored.',
    because: 'The name of the field is probably misspelt, or the field belongs to another object.',
    wrong: `{ "unitTypes": { "hero": { "inventroySize": 5 } } }`,
    right: `{ "unitTypes": { "hero": { "inventorySize": 5 } } }`,
  },
  'unknown-value': {
    about: 'The value of a field is an unknown word, so the default of the field is used.',
    because: 'The word is probably misspelt. The message names the words that are known.',
    wrong: `{ "unitTypes": { "wolf": { "ai": { "enabled": false, "idleBehaviour": "wandr" } } } }`,
    right: `{ "unitTypes": { "wolf": { "ai": { "enabled": false, "idleBehaviour": "wander" } } } }`,
  },
  'map-size-mismatch': {
    severity: 'error',
    about: 'The number of tiles of a layer is not its width times its height.',
    because: 'The rows of tiles begin in the wrong column. Correct the size of the layer or its list of tiles.',
    wrong: `{ "map": { "width": 2, "height": 2, "layers": [{ "name": "walls", "type": "tilelayer", "data": [0, 0, 0] }] } }`,
    right: `{ "map": { "width": 2, "height": 2, "layers": [{ "name": "walls", "type": "tilelayer", "data": [0, 0, 0, 0] }] } }`,
  },
  // Codes about references.
  'dangling-script': {
    about: 'The game refers to a script that does not exist.',
    because: 'No script runs. Refer to scripts by key, not by display name.',
    wrong: `[{ "type": "runScript", "scriptName": "heal" }]`,
    right: `{ "scripts": {
  "begin": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "runScript", "scriptName": "heal" }] },
  "heal": { "triggers": [], "actions": [] }
} }`,
  },
  'dangling-ability': {
    about: 'The game refers to an ability that does not exist.',
    because: 'No ability is cast. Abilities belong to the game or to a unit type.',
    wrong: `[{ "type": "castAbility", "entity": { "function": "getLastCreatedUnit" }, "abilityName": "heal" }]`,
    right: `{
  "abilities": { "heal": { "name": "Heal" } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "castAbility", "entity": { "function": "getLastCreatedUnit" }, "abilityName": "heal" }] } }
}`,
  },
  'dangling-item-type': {
    about: 'The game refers to an item type that does not exist.',
    because: 'An item of a type that does not exist cannot be given, sold or required.',
    wrong: `{ "shops": { "inn": { "itemTypes": { "ale": { "price": { "coins": 1 } } } } } }`,
    right: `{ "shops": { "inn": { "itemTypes": { "ale": { "price": { "coins": 1 } } } } }, "itemTypes": { "ale": {} } }`,
  },
  'dangling-unit-type': {
    about: 'The game refers to a unit type that does not exist.',
    because: 'A unit of a type that does not exist cannot be created, sold or required.',
    wrong: `{ "variables": { "enemy": { "dataType": "unitType", "default": "wolf" } } }`,
    right: `{ "variables": { "enemy": { "dataType": "unitType", "default": "wolf" } }, "unitTypes": { "wolf": {} } }`,
  },
  'dangling-projectile-type': {
    about: 'The game refers to a projectile type that does not exist.',
    because: 'The weapon fires nothing.',
    wrong: `{ "itemTypes": { "bow": { "projectileType": "arrow" } } }`,
    right: `{ "itemTypes": { "bow": { "projectileType": "arrow" } }, "projectileTypes": { "arrow": {} } }`,
  },
  'dangling-player-type': {
    about: 'The game refers to a player type that does not exist.',
    because: 'No player ever has this type.',
    wrong: `{ "playerTypes": { "human": { "relationships": { "monster": "hostile" } } } }`,
    right: `{ "playerTypes": { "human": { "relationships": { "monster": "hostile" } }, "monster": {} } }`,
  },
  'dangling-attribute': {
    about: 'The game refers to an attribute that no type declares, or that the type of the entity does not declare.',
    because:
      'An attribute that does not exist cannot be read, changed, damaged or charged. Refer to attributes by key, not by display name.',
    wrong: `{ "itemTypes": { "axe": { "damage": { "targetsAffected": ["hostile"], "unitAttributes": { "healht": 5 } } } } }`,
    right: `{
  "itemTypes": { "axe": { "damage": { "targetsAffected": ["hostile"], "unitAttributes": { "health": 5 } } } },
  "unitTypes": { "wolf": { "attributes": { "health": { "min": 0, "max": 50, "value": 50 } } } }
}`,
  },
  'dangling-variable': {
    about: 'The game refers to a variable that is not declared.',
    because: 'The variable cannot be set and has no value. Declare it in `variables`.',
    wrong: `[{ "type": "setVariable", "variableName": "score", "value": 1 }]`,
    right: `{
  "variables": { "score": { "dataType": "number", "default": 0 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "score", "value": 1 }] } }
}`,
  },
  'dangling-state': {
    about: 'The game refers to a state that no type has.',
    because: 'The entity stays in its current state.',
    wrong: `[{ "type": "setEntityState", "entity": { "function": "getLastCreatedUnit" }, "state": "asleep" }]`,
    right: `{
  "unitTypes": { "wolf": { "states": { "default": { "body": "none" }, "asleep": { "body": "none" } } } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setEntityState", "entity": { "function": "getLastCreatedUnit" }, "state": "asleep" }] } }
}`,
  },
  'dangling-body': {
    about: 'A state names a body that its type does not have.',
    because: 'Nothing can touch an entity in a state whose body is missing.',
    wrong: `{ "unitTypes": { "wolf": { "states": { "default": { "body": "small" } } } } }`,
    right: `{ "unitTypes": { "wolf": { "states": { "default": { "body": "small" } }, "bodies": { "small": { "type": "none" } } } } }`,
  },
  'dangling-animation': {
    about: 'A state names an animation that its type does not have.',
    because: 'Clients show nothing, or continue to show the previous animation.',
    wrong: `{ "unitTypes": { "wolf": { "states": { "default": { "body": "none", "animation": "walk" } } } } }`,
    right: `{ "unitTypes": { "wolf": { "states": { "default": { "body": "none", "animation": "walk" } }, "animations": { "walk": { "frames": [1] } } } } }`,
  },
  'dangling-shop': {
    about: 'The game refers to a shop that does not exist.',
    because: 'No shop opens.',
    wrong: `[{ "type": "openShopForPlayer", "player": { "function": "getTriggeringPlayer" }, "shop": "inn" }]`,
    right: `{
  "shops": { "inn": { "itemTypes": { "ale": {} } } },
  "itemTypes": { "ale": {} },
  "scripts": { "s": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "openShopForPlayer", "player": { "function": "getTriggeringPlayer" }, "shop": "inn" }] } }
}`,
  },
  'dangling-dialogue': {
    about: 'The game refers to a dialogue that does not exist.',
    because: 'No dialogue opens.',
    wrong: `{ "dialogues": { "hello": { "options": [{ "name": "More", "followUpDialogue": "more" }] } } }`,
    right: `{ "dialogues": { "hello": { "options": [{ "name": "More", "followUpDialogue": "more" }] }, "more": { "options": [] } } }`,
  },
  'dangling-folder': {
    about: 'A `parent` names a folder that does not exist.',
    because: 'Editors might not show the entry.',
    wrong: `{ "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [], "parent": "setup" } } }`,
    right: `{ "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [], "parent": "setup" }, "setup": { "folderName": "Set up", "parent": null } } }`,
  },
  'dangling-tileset': {
    about: 'A tile number of the map does not belong to any tileset.',
    because: 'Clients show nothing in this cell.',
    wrong: `{ "map": { "width": 1, "height": 1, "layers": [{ "name": "walls", "type": "tilelayer", "data": [9] }], "tilesets": [{ "firstgid": 1, "tilecount": 4 }] } }`,
    right: `{ "map": { "width": 1, "height": 1, "layers": [{ "name": "walls", "type": "tilelayer", "data": [4] }], "tilesets": [{ "firstgid": 1, "tilecount": 4 }] } }`,
  },
  'dangling-release': {
    about: '`releaseId` is not among `defaultData.releases`.',
    because: 'Hosting services cannot determine which release of the game is running.',
    wrong: `{ "releaseId": "r2", "defaultData": { "releases": [{ "release": "r1" }] } }`,
    right: `{ "releaseId": "r1", "defaultData": { "releases": [{ "release": "r1" }] } }`,
  },
  'dangling-role': {
    about: 'A script names a role that `roles` does not have.',
    because: 'No player can have a role that does not exist.',
    wrong: `{
  "roles": [{ "name": "judge", "type": 1, "permissions": {} }],
  "scripts": { "s": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "boolean", "operator": "==" }, { "function": "roleExistsForPlayer", "name": "boss", "player": { "function": "getTriggeringPlayer" } }, true], "then": [{ "type": "endGame" }], "else": [] }] } }
}`,
    right: `{
  "roles": [{ "name": "boss", "type": 1, "permissions": {} }],
  "scripts": { "s": { "triggers": [{ "type": "playerJoinsGame" }], "actions": [{ "type": "condition", "conditions": [{ "operandType": "boolean", "operator": "==" }, { "function": "roleExistsForPlayer", "name": "boss", "player": { "function": "getTriggeringPlayer" } }, true], "then": [{ "type": "endGame" }], "else": [] }] } }
}`,
  },
  'dangling-buff': {
    about: 'An item names a buff that `buffTypes` does not have.',
    because: 'Nobody gets this buff from the item.',
    wrong: `{ "itemTypes": { "ale": { "buffTypes": ["drunk"] } } }`,
    right: `{ "itemTypes": { "ale": { "buffTypes": ["drunk"] } }, "buffTypes": { "drunk": {} } }`,
  },
  'dangling-media': {
    severity: 'info',
    about: 'The game refers to a sound, music or particle that does not exist.',
    because: 'Clients play or show nothing. The game itself is not affected.',
    wrong: `[{ "type": "playMusic", "music": "waltz" }]`,
    right: `{
  "music": { "waltz": { "name": "Waltz", "file": "https://example.com/waltz.mp3" } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "playMusic", "music": "waltz" }] } }
}`,
  },
  // Codes about scripts.
  'unknown-trigger': {
    severity: 'error',
    about: 'A script has an unknown trigger, which no engine fires.',
    because: 'This trigger never starts the script. `reenact ops --triggers` lists all triggers.',
    wrong: `{ "scripts": { "s": { "triggers": [{ "type": "gameStrat" }], "actions": [] } } }`,
    right: `{ "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [] } } }`,
  },
  'unknown-action': {
    severity: 'error',
    about: 'An action has an unknown type, so the action does nothing at run time.',
    because:
      'The name is probably misspelt: `reenact ops` lists all actions. If your host program adds this action, name the module that declares the action as `host` in `reenact.config.json`.',
    wrong: `[{ "type": "endGmae" }]`,
    right: `[{ "type": "endGame" }]`,
  },
  'unknown-function': {
    severity: 'error',
    about: 'A function has an unknown name, so the function returns undefined at run time.',
    because: 'The name is probably misspelt. `reenact ops` lists all functions.',
    wrong: `[{ "type": "destroyEntity", "entity": { "function": "getLastUnit" } }]`,
    right: `[{ "type": "destroyEntity", "entity": { "function": "getLastCreatedUnit" } }]`,
  },
  'unknown-parameter': {
    severity: 'info',
    about: 'An operation has no parameter with this name, so the parameter is ignored.',
    because: 'The parameter was probably meant for another operation.',
    wrong: `[{ "type": "endGame", "winner": "red" }]`,
    right: `[{ "type": "endGame" }]`,
  },
  'misspelt-parameter': {
    about: 'The operation has no parameter with this name; a parameter with a similar name is missing.',
    because: 'Without this parameter, the operation does nothing.',
    wrong: `[{ "type": "sendChatMessage", "mesage": "Hello" }]`,
    right: `[{ "type": "sendChatMessage", "message": "Hello" }]`,
  },
  'missing-parameter': {
    about: 'A required parameter of an operation is missing or null, so the operation does nothing.',
    because: 'Editors write null if nothing was chosen. Choose a value, or delete the action.',
    wrong: `[{ "type": "sendChatMessage" }]`,
    right: `[{ "type": "sendChatMessage", "message": "Hello" }]`,
  },
  'wrong-parameter': {
    about: 'A literal parameter has the wrong type or shape.',
    because: 'The operation does nothing, or interprets the value differently.',
    wrong: `[{ "type": "setTimeOut", "duration": "soon", "actions": [] }]`,
    right: `[{ "type": "setTimeOut", "duration": 1000, "actions": [] }]`,
  },
  'malformed-condition': {
    about:
      'A condition does not have the form `[{operator}, left, right]`. Without an operator, the condition is false. A missing operand is undefined.',
    because: 'Usually the same branch runs every time. If the condition is not a list, neither branch runs.',
    wrong: `[{ "type": "condition", "conditions": [{ "function": "getPlayerCount" }, ">", 1], "then": [{ "type": "endGame" }], "else": [] }]`,
    right: `[{ "type": "condition", "conditions": [{ "operandType": "number", "operator": ">" }, { "function": "getPlayerCount" }, 1], "then": [{ "type": "endGame" }], "else": [] }]`,
  },
  'constant-condition': {
    about: 'A condition is always true or always false. (The default `true == true` of editors is not reported.)',
    because: 'The condition compares two literals. One of them was probably meant to be computed.',
    wrong: `[{ "type": "condition", "conditions": [{ "operandType": "number", "operator": "==" }, 1, 2], "then": [{ "type": "endGame" }], "else": [] }]`,
    right: `[{ "type": "condition", "conditions": [{ "operandType": "number", "operator": "==" }, { "function": "getPlayerCount" }, 2], "then": [{ "type": "endGame" }], "else": [] }]`,
  },
  'malformed-action': {
    about: 'An entry of an action list is not an action, so the entry is skipped.',
    because: 'Actions are objects with a `type`.',
    wrong: `["endGame"]`,
    right: `[{ "type": "endGame" }]`,
  },
  // Codes about the list of issues itself.
  'more-issues': {
    severity: 'info',
    about: 'More than 10,000 issues of one severity were found; this issue says how many of them are not listed.',
    because: 'A longer list would not help. Correct the first issues; most of the others have the same cause.',
    ...notShown,
  },
} satisfies Dictionary<Explained>;

export type IssueCode = keyof typeof rows;

/**
 * The codes of issues that reading and compiling a definition can report. Checks of a loaded game declare their own
 * codes (`src/check/rules`). Codes are stable: a code is never renamed, and its meaning never changes.
 */
export const issueCodes = withSeverity(rows);

/** The same rows, each with its severity. */
export function withSeverity<K extends string>(
  explained: Readonly<Record<K, Explained>>,
): Readonly<Record<K, Required<Explained>>> {
  const all: Record<string, Required<Explained>> = {};
  for (const code in explained) all[code] = { severity: 'warning', about: '', ...explained[code] };
  return all as Readonly<Record<K, Required<Explained>>>;
}
