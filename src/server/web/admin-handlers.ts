import { banRoutes } from './admin/bans.ts';
import { hostingRoutes } from './admin/hosting.ts';
import { overviewRoute } from './admin/overview.ts';
import { playerRoutes } from './admin/players.ts';
import { playRoutes } from './admin/plays.ts';
import { reportRoutes } from './admin/reports.ts';
import { roomControlRoutes } from './admin/room-control.ts';
import type { Handlers } from './api.ts';
import type { AdminServices } from './services.ts';

/** The handlers of all routes for administrators, in the order of the OpenAPI document. */
export function adminHandlers(services: AdminServices): Handlers {
  return {
    ...hostingRoutes(services),
    ...playRoutes(services),
    ...overviewRoute(services),
    ...playerRoutes(services),
    ...roomControlRoutes(services),
    ...banRoutes(services),
    ...reportRoutes(services),
  };
}
