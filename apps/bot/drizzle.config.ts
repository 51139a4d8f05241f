import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './src/replica/schema.ts',
  out: './src/replica/migrations',
});
