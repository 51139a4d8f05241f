import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './src/reminders/reminder-schema.ts',
  out: './src/reminders/migrations',
});
