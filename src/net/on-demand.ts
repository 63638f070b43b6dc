/** Loads the prediction, which contains the engine, for pages that begin without it. */
export const loadPrediction = () => import('./prediction/prediction.ts');
