export { DASHBOARD_VARIABLES, type DashboardConfig, readDashboardConfig } from './config.ts';
export { createDashboard, type Dashboard, type DashboardOptions } from './server/create-dashboard.ts';
export { createMetrics } from './server/http/metrics.ts';
