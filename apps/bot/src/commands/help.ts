import { action, type Command, type CommandName, everybody } from './command.ts';
import { code, nameOf, textsOf } from './command-texts.ts';
import { findCommand } from './find-command.ts';
import type { Invocation } from './invocation.ts';
import { word } from './options.ts';
import { Refusal } from './refusal.ts';
import { usageOf } from './usage.ts';

/** Lists the commands, or explains one. */
export function help(commands: () => readonly Command[]): Command {
  return {
    name: 'help',
    action: action({
      options: { command: word(false, 32) },
      guard: everybody,
      run({ invocation, options, services: { connection } }) {
        if (options.command !== undefined) return explain(invocation, commands(), options.command);
        return [title(invocation, connection.mention), ...commands().map((command) => line(invocation, command))].join(
          '\n',
        );
      },
    }),
  };
}

function title({ settings, speech }: Invocation, mention: string): string {
  if (settings.prefix === '') return speech.t('help.titleWithoutPrefix', { mention });
  return speech.t('help.title', { prefix: code(settings.prefix), mention });
}

function line(invocation: Invocation, { name }: Command): string {
  return `${nameOf(invocation, [name])} – ${textsOf(invocation.speech.language, [name]).description}`;
}

function explain(invocation: Invocation, commands: readonly Command[], wanted: string): string {
  const { speech } = invocation;
  const command = findCommand(commands, speech.language, wanted);
  if (command === undefined) {
    throw new Refusal(speech.t('help.unknown', { name: code(wanted), help: nameOf(invocation, ['help']) }));
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
  const { speech } = invocation;
  const { description } = textsOf(speech.language, path);
  const beta = isBeta ? ` *(${speech.t('help.beta')})*` : '';
  return [
    `\n${speech.t('help.usage', { usage: usageOf(invocation, path, options) })}${beta}`,
    path.length > 1 ? description : undefined,
    ...Object.keys(options).map((name) => optionLine(speech.language, path, name)),
  ]
    .filter((part) => part !== undefined)
    .join('\n');
}

function optionLine(
  language: Invocation['speech']['language'],
  path: readonly [CommandName, string?],
  name: string,
): string | undefined {
  const texts = textsOf(language, path).options?.[name];
  return texts && `- ${code(texts.name)}: ${texts.description}`;
}
