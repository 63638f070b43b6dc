/** The actions of `reenact data`. */
export const dataActs = ['backup', 'restore', 'list', 'prune', 'export-player', 'delete-player'] as const;
export type DataAct = (typeof dataActs)[number];
