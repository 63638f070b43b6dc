import type { CatalogueParam } from '../../engine/index.ts';
import { wordTable } from '../text/index.ts';

/**
 * Descriptions of the accepted values, by the kind of the operand. Other kinds need only the description of the
 * operand.
 */
const kinds = wordTable(`
number: A number.
quantity: A whole number.
angle: An angle.
string: A string.
text: Text, or a value that is shown as text.
screen area: An area of the screen: \`top\`, \`center\`, \`center-lg\` or \`scoreboard\`.
text literal: A literal string; a function is not allowed.
JSON text: A list as a JSON string.
object: An object with keys and values.
unit: A unit.
item: An item.
projectile: A projectile.
player: A player.
debris: A piece of debris of the map.
region: A region.
sensor: The sensor of a unit.
entity: An entity, such as a unit, an item, a projectile or a region.
entity or player: An entity or a player.
unit, item or projectile: A unit, item or projectile.
movable entity: An entity that can move, such as a unit, an item or a projectile.
position: A position with \`x\` and \`y\` in pixels.
vector: A vector with \`x\` and \`y\`.
attribute: The id of an attribute type.
state: The id of a state of the entity.
animation: The id of an animation of the entity.
script: The id of a script.
sound: The id of a sound.
music: The id of a piece of music.
shop: The id of a shop.
dialogue: The id of a dialogue.
ability: The id of an ability.
unit type: The id of a unit type.
item type: The id of an item type.
projectile type: The id of a projectile type.
player type: The id of a player type.
role: The name of a role.
particle type: The id of a particle type.
particle emitter: The id of a particle emitter.
type id: The id of a type.
type group: A group of types.
quest id: The id of a quest.
variable name: The name of a variable of the game.
variable descriptor: An object whose \`key\` is the name of the variable.
entity variable: A call of \`getEntityVariable\`.
player variable: A call of \`getPlayerVariable\`.
group: A group that a function or a variable returns.
group variable: A variable that holds a group.
condition: A list \`[{"operandType", "operator"}, left, right]\`.
calculation: A number, or a list \`[{"operator"}, left, right]\`.
any: A value of any type.
`);

/** The meaning of an operand by its key, for operations that do not describe it themselves. */
const meanings = wordTable(`
ability: The ability that is cast.
abilityName: The ability that is cast.
actions: The actions that run, one after the other.
alpha: The opacity, from 0 (invisible) to 1 (opaque).
ammo: The number of shots left.
angle: The direction.
animation: The animation that is played.
apiCredentials: The name of the credentials that the platform keeps.
attribute: The attribute to read or change.
attributeType: The attribute to read or change.
base: The number that is raised to a power.
boolean: The value that is negated.
brackets: Whether an editor shows the calculation in brackets.
className: The CSS class.
client: The player whose client receives the data.
coins: The number of coins.
color: The colour, as CSS writes it.
comment: A comment for readers of the script.
conditions: The condition that decides whether the actions run.
count: How many times the actions run.
data: The data that is sent.
debrisGroup: The debris to loop over.
debrisId: The id of the debris on the map.
depth: The drawing depth; entities with a larger depth are drawn in front.
description: The description that the player reads.
dialogue: The dialogue that is opened.
distance: The distance, in pixels.
duration: The duration, in milliseconds.
elementId: The id of an HTML element of the game page.
else: The actions that run if the condition does not hold.
entity: The entity to which the operation applies.
entityGroup: The entities to loop over.
entityKey: The id of the entity type that owns the script.
entityType: The kind of entity that owns the script.
flip: The direction in which the sprite is mirrored: \`none\`, \`horizontal\`, \`vertical\` or \`both\`.
force: The force.
fromIndex: The index of the first character, counted from 0.
gameId: The id of the game or map to send players to.
gid: The number of the tile; 0 removes the tile.
goal: The progress at which the quest is complete.
height: The height.
htmlContent: The HTML that the window shows.
htmlStr: The HTML that the element shows.
impulse: The impulse.
inputLabel: The text above the input field.
inside: The colour of the inside of the region, as CSS writes it.
isEntityScript: Whether the script belongs to an entity type.
item: The item to which the operation applies.
itemGroup: The items to loop over.
itemType: The item type that the operation uses.
itemTypeGroup: The item types to choose from or to loop over.
items: The calculation.
key: The key in the object.
keyword: The text to look for.
layer: The index of the layer of the map.
lifeSpan: The time until the entity is destroyed, in milliseconds.
matchString: The text that is replaced.
max: The largest possible result.
message: The message.
min: The smallest possible result.
music: The music that is played.
name: The name to set or to look for.
newString: The text that replaces each occurrence.
num1: The first number.
num2: The second number.
number: The number to use.
object: The object to read or change.
onFailure: The actions that run if the request fails.
onSuccess: The actions that run if the request succeeds.
opacity: The opacity, from 0 (invisible) to 1 (opaque).
panSpeed: How fast the camera moves to its target.
particleEmitter: The particle emitter of the entity.
particleType: The type of the particles.
patternString: The text to look for.
player: The player to which the operation applies.
playerA: The first player.
playerB: The second player.
playerGroup: The group of players.
playerType: The player type that the operation uses.
position: The position that the operation uses.
positionA: The first position.
positionB: The second position.
power: The power to which the base is raised.
precision: The number of decimal places.
progress: The new progress of the quest.
projectile: The projectile to which the operation applies.
projectileGroup: The projectiles to loop over.
projectileType: The projectile type that the operation uses.
quantity: The quantity of the item.
questId: The quest to which the operation applies.
radians: The new angle, in radians.
radius: The new radius, in pixels.
region: The region to which the operation applies.
regionA: The first region.
regionB: The second region.
regionGroup: The regions to loop over.
rotation: The rotation.
scale: The scale, where 1 is the normal size.
scriptName: The script that runs.
seconds: The time, in seconds.
sensor: The sensor to which the operation applies.
shop: The shop that opens.
slot: The inventory slot, counted from 1.
slotIndex: The inventory slot, counted from 1.
sound: The sound that is played or stopped.
sourceEntity: The first entity.
sourceString: The text that is searched.
speed: The speed.
start: The first number of the loop.
state: The new state.
stop: The last number of the loop, for which the actions also run.
string: The string that the operation uses.
target: The area of the screen that shows the text.
targetEntity: The second entity.
targetUnit: The unit that is attacked.
targetingEntity: The entity to which \`entity\` is attached.
text: The text that is shown.
textA: The first value.
textB: The second value.
then: The actions that run if the condition holds.
time: The duration, in milliseconds.
title: The title of the window.
toIndex: The index after the last character of the result.
torque: The torque.
unit: The unit to which the operation applies.
unitGroup: The group of units.
unitSpeed: The new speed.
unitType: The unit type that the operation uses.
unitTypeGroup: The unit types to choose from or to loop over.
url: The web address.
value: The value to use.
valueA: The result if \`alpha\` is 0.
valueB: The result if \`alpha\` is 1.
varName: The variable that receives the response.
variable: The variable to read or change.
variableName: The variable to read or change.
variableNameMain: The variable that receives the index or key in each iteration.
variableNameSource: The variable with the list, string or object to loop over.
velocity: The new velocity.
width: The width.
words: The words that clients hide in the chat, separated by commas.
x: The x coordinate.
y: The y coordinate.
z: The z coordinate.
zoom: The zoom of the camera.
`);

/** Describes an operand; undefined if there is no description for its key. A test makes sure that every key has one. */
export function aboutOperand({ key, type, about, optional }: CatalogueParam, spelling: string): string | undefined {
  const meaning = about ?? meanings[key];
  if (meaning === undefined) return undefined;
  const older = spelling === key ? undefined : `Older spelling of \`${key}\`.`;
  return [meaning, kinds[type], optional ? 'Optional.' : undefined, older].filter(Boolean).join(' ');
}
