import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './src/server/session/sqlite/schema.ts',
  out: './src/server/session/sqlite/migrations',
});
