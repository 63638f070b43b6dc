import { restoreNativeMaths } from './planck-maths.ts';

/** The second half of the exchange that `planck-maths.ts` explains. */
restoreNativeMaths();
