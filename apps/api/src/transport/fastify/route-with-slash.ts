import type { FastifyInstance, RouteOptions } from 'fastify';

/** Adds a route of REST, which is served with a slash at the end as well. Its log and metrics name the path without it. */
export function routeWithSlash(app: FastifyInstance, route: RouteOptions): void {
  app.route(route);
  app.route({ ...route, url: `${route.url}/` });
}
