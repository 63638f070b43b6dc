/** The actions of `reenact data`. */
export const dataActions = ['backup', 'restore', 'list', 'prune', 'export-player', 'delete-player'] as const;
export type DataAction = (typeof dataActions)[number];
