import {
  allUsers,
  code,
  didYouMean,
  findCommand,
  type Invocation,
  nameOf,
  nearest,
  pageLines,
  Refusal,
  type Translator,
  usageOf,
  word,
} from '@guild-settings/discord/framework';
import { action, type BotCommand, type Services } from '../commands/services.ts';
import { botText } from '../i18n/bot-text.ts';

export function help(commands: () => readonly BotCommand[]): BotCommand {
  return {
    name: 'help',
    action: action({
      options: { command: word(false, 32) },
      guard: allUsers,
      run({ invocation, options, services }) {
        if (options.command !== undefined) return explain(invocation, commands(), options.command);
        const lines = commands().map((command) => line(invocation, command));
        return [title(invocation, services.connection), ...lines, ...pageLines(invocation, services)].join('\n');
      },
    }),
  };
}

function title({ settings, translator }: Invocation, { mention, readsMessages }: Services['connection']): string {
  if (!readsMessages) return botText(translator)('help.titleSlashOnly');
  if (settings.prefix === '') return botText(translator)('help.titleWithoutPrefix', { mention });
  return botText(translator)('help.title', { prefix: code(settings.prefix), mention });
}

function line(invocation: Invocation, { name }: BotCommand): string {
  const { translator } = invocation;
  const { description } = translator.commandTexts([name]);
  return botText(translator)('help.line', { command: nameOf(invocation, [name]), description });
}

function explain(invocation: Invocation, commands: readonly BotCommand[], wanted: string): string {
  const { translator } = invocation;
  const command = findCommand(commands, translator, wanted);
  if (command === undefined) {
    const names = commands.flatMap(({ name }) => [translator.commandTexts([name]).name, name]);
    const lines = [
      botText(translator)('help.unknown', { name: code(wanted), help: nameOf(invocation, ['help']) }),
      ...didYouMean(nearest(wanted, names), translator),
    ];
    throw new Refusal(lines.join('\n'));
  }
  const actions = command.subcommands
    ? Object.entries(command.subcommands).map(([name, sub]) => usageLines(invocation, [command.name, name], sub))
    : [command.action && usageLines(invocation, [command.name], command.action)];
  return [line(invocation, command), ...actions].join('\n');
}

function usageLines(
  invocation: Invocation,
  path: readonly [string, string?],
  { options, isBeta }: NonNullable<BotCommand['action']>,
): string {
  const { translator } = invocation;
  const { description } = translator.commandTexts(path);
  const text = botText(translator);
  const usage = text('help.usage', { usage: usageOf(invocation, path, options) });
  return [
    `\n${isBeta ? text('help.beta', { usage }) : usage}`,
    path.length > 1 ? description : undefined,
    ...Object.keys(options).map((name) => optionLine(translator, path, name)),
  ]
    .filter((part) => part !== undefined)
    .join('\n');
}

function optionLine(translator: Translator, path: readonly [string, string?], name: string): string | undefined {
  const texts = translator.commandTexts(path).options?.[name];
  return texts && `- ${translator.shared('labelled', { label: code(texts.name), value: texts.description })}`;
}
