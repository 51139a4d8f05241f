import type { Connection } from '../discord/gateway-client.ts';
import { action, allUsers, type Command, findCommand } from '../framework/command.ts';
import type { Invocation } from '../framework/invocation.ts';
import { type CommandName, nameOf, textsOf, usageOf, word } from '../framework/options.ts';
import { code, didYouMean, nearest, Refusal } from '../i18n/text.ts';
import type { Language } from '../i18n/translator.ts';
import { pageLines } from './settings/page-lines.ts';

export function help(commands: () => readonly Command[]): Command {
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

function title({ settings, translator }: Invocation, { mention, readsMessages }: Connection): string {
  if (!readsMessages) return translator.t('help.titleSlashOnly');
  if (settings.prefix === '') return translator.t('help.titleWithoutPrefix', { mention });
  return translator.t('help.title', { prefix: code(settings.prefix), mention });
}

function line(invocation: Invocation, { name }: Command): string {
  return `${nameOf(invocation, [name])} – ${textsOf(invocation.translator.language, [name]).description}`;
}

function explain(invocation: Invocation, commands: readonly Command[], wanted: string): string {
  const { translator } = invocation;
  const command = findCommand(commands, translator.language, wanted);
  if (command === undefined) {
    const names = commands.flatMap(({ name }) => [textsOf(translator.language, [name]).name, name]);
    const lines = [
      translator.t('help.unknown', { name: code(wanted), help: nameOf(invocation, ['help']) }),
      ...didYouMean(nearest(wanted, names), translator),
    ];
    throw new Refusal(lines.join('\n'));
  }
  const actions = command.subcommands
    ? Object.entries(command.subcommands).map(([name, sub]) => usage(invocation, [command.name, name], sub))
    : [command.action && usage(invocation, [command.name], command.action)];
  return [line(invocation, command), ...actions].join('\n');
}

function usage(
  invocation: Invocation,
  path: readonly [CommandName, string?],
  { options, isBeta }: NonNullable<Command['action']>,
): string {
  const { translator } = invocation;
  const { description } = textsOf(translator.language, path);
  const beta = isBeta ? ` *(${translator.t('help.beta')})*` : '';
  return [
    `\n${translator.t('help.usage', { usage: usageOf(invocation, path, options) })}${beta}`,
    path.length > 1 ? description : undefined,
    ...Object.keys(options).map((name) => optionLine(translator.language, path, name)),
  ]
    .filter((part) => part !== undefined)
    .join('\n');
}

function optionLine(language: Language, path: readonly [CommandName, string?], name: string): string | undefined {
  const texts = textsOf(language, path).options?.[name];
  return texts && `- ${code(texts.name)}: ${texts.description}`;
}
