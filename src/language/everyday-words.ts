import { wordTable } from '../text/index.ts';

/**
 * Everyday words for operations and triggers, by the name of the operation or trigger. `reenact ops WORD` searches
 * them, too. Words that the name or the description contains are not listed. A search finds words that contain the
 * searched text, so each word is listed in its longest form.
 */
export const everydayWords = wordTable(`
setEntityAttribute: heals healing hurts hp life lives kills dies death
getEntityAttribute: hp life lives
setEntityAttributeRegenerationRate: heals healing hp poisons
addAttributeBuffToUnit: heals healing hp boosts powerups slows poisons
unitAttributeBecomesZero: kills dies death defeats loses hp life lives
entityAttributeBecomesZero: kills dies death defeats loses hp life lives
unitAttacksUnit: hits hurts kills
getLastAttackingUnit: kills killers
destroyEntity: kills dies death deletes removes despawns
initEntityDestroy: kills dies death despawns
createUnitAtPosition: spawns enemy enemies monsters
createEntityAtPositionWithDimensions: spawns enemy enemies monsters
createProjectileAtPosition: spawns shoots bullets
startUsingItem: shoots attacks
useItemOnce: shoots attacks
getRandomPlayablePositionInRegion: spawns
aiAttackUnit: enemy enemies monsters chases
aiMoveToPosition: enemy enemies monsters walks
assignPlayerType: teams sides class
playerTypeOfPlayer: teams sides class
playersOfPlayerType: teams sides class
getNumberOfPlayersOfPlayerType: teams sides
playersAreFriendly: teams allies
playersAreHostile: teams enemy enemies
setTimeOut: timers countdowns delays waits later
repeatWithDelay: timers countdowns intervals
secondTick: timers countdowns clocks intervals
getServerAge: timers clocks
getTimeString: timers countdowns clocks
updateUiTextForTimeForPlayer: winners messages announces timers
showUiTextForEveryone: winners messages announces scores hud countdowns
updateUiTextForEveryone: winners messages announces scores hud countdowns
endGame: winners wins loses rounds match
forAllPlayers: winners wins everyone
setPlayerAttribute: scores points money gold coins levels xp winners wins
getPlayerAttribute: scores points money gold coins levels xp winners wins leaderboards
setPlayerVariable: scores points money gold levels xp
setVariable: scores rounds state winners teams
increaseVariableByNumber: scores points counts
openShopForPlayer: buys sells stores
getRandomNumberBetween: chance dice probability
teleportEntity: warps tp
stunUnit: freezes paralyses
applyImpulseOnEntityAngle: knockback pushes dash
changeUnitType: transforms evolves upgrades class
playerSendsChatMessage: commands says
sendChatMessage: says announces winners
kickPlayer: bans
savePlayerData: stores progress levels
`);
