import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/server/session/postgres/schema.ts',
  out: './src/server/session/postgres/migrations',
});
