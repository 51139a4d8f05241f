import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: ['./src/reminders/reminder-schema.ts', './src/storage/registered-commands.ts'],
  out: './src/storage/migrations',
});
