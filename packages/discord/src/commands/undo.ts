import type { Invocation, Reply } from '../framework/invocation.ts';
import { nameOf, offeredName, slashNameOf, wholeNumber } from '../framework/options.ts';
import { Refusal } from '../i18n/text.ts';
import { changeHead, changeLines, conflictLine } from '../settings/change-texts.ts';
import type { UndoObstacle, UndoPreview } from '../settings/settings-history.ts';
import { failureText, prefixLines } from './change-settings.ts';
import { requirePermission } from './require-permission.ts';
import { action } from './services.ts';

/**
 * Undoes a change of the settings after a confirmation. The reply shows what the undo would do. The button undoes only that:
 * if the settings have changed meanwhile, the user is asked again. The reply to a message names the slash command instead.
 */
export const undo = action({
  options: { change: wholeNumber(false) },
  guard: requirePermission,
  async run({ invocation, pass, options, services: { history } }) {
    const found = await history.preview(pass, options.change);
    return found.kind === 'preview' ? question(found, invocation) : refuse(found, invocation);
  },
  buttons: {
    async confirm({ invocation, pass, values: [number, guildTag = ''], services: { history, connection } }) {
      const revision = Number(number);
      const shown = { revision, guildTag };
      const outcome = await history.undo(pass, shown);
      switch (outcome.kind) {
        case 'preview': {
          const { content, buttons } = question(outcome, invocation);
          if (buttons === undefined) return content;
          return { content: `${invocation.translator.shared('undo.meanwhile')}\n${content}`, buttons };
        }
        case 'undone': {
          const { translator } = invocation;
          return [
            `**${translator.shared('undo.done', { change: `#${revision}` })}**`,
            ...changeLines(outcome.changes, translator),
            ...prefixLines(Object.keys(outcome.changes), outcome.after, { translator, connection }),
          ].join('\n');
        }
        default:
          return refuse(outcome, invocation);
      }
    },
    cancel: ({ invocation: { translator } }) => translator.t('undo.cancelled'),
  },
});

function question({ entry, changes, guildTag }: UndoPreview, invocation: Invocation): Reply {
  const { trigger, translator } = invocation;
  const { t, shared } = translator;
  if (Object.keys(changes).length === 0) return { content: shared('undo.same', { change: `#${entry.revision}` }) };
  const lines = [t('undo.question', { change: changeHead(entry, translator) }), ...changeLines(changes, translator)];
  if (trigger.kind === 'message') {
    const command = slashNameOf(invocation, ['settings', 'undo'], String(entry.revision));
    return { content: [...lines, t('undo.bySlash', { command })].join('\n') };
  }
  const until = `<t:${Math.floor(trigger.buttonsUntilMs / 1_000)}:t>`;
  return {
    content: [...lines, t('undo.until', { until })].join('\n'),
    buttons: [
      {
        name: 'confirm',
        label: t('undo.confirm'),
        style: 'danger',
        values: [String(entry.revision), guildTag],
      },
      { name: 'cancel', label: t('undo.cancel'), style: 'secondary', values: [] },
    ],
  };
}

function refuse(obstacle: UndoObstacle, invocation: Invocation): never {
  throw new Refusal(why(obstacle, invocation));
}

function why(obstacle: UndoObstacle, invocation: Invocation): string {
  const { translator } = invocation;
  const { t, shared } = translator;
  switch (obstacle.kind) {
    case 'unknown': {
      const { revision: id } = obstacle;
      if (id === undefined) return t('history.none');
      const command = offeredName(invocation, ['settings', 'history']);
      return command === undefined ? t('undo.noChange', { id }) : t('undo.unknown', { id, command });
    }
    case 'of-access':
      return t('access.onPage');
    case 'not-undoable':
      return shared('undo.notUndoable', { change: `#${obstacle.revision}` });
    case 'later-change': {
      const { revision: id, conflicts } = obstacle;
      const newest = Math.max(...conflicts.map(({ revision }) => revision));
      const command = nameOf(invocation, ['settings', 'undo'], String(newest));
      const lines = conflicts.map((conflict) => conflictLine(conflict, translator));
      return [shared('undo.later', { change: `#${id}` }), ...lines, t('undo.laterFirst', { command })].join('\n');
    }
    case 'unreachable':
      return t('undo.unreachable');
    default:
      return failureText(obstacle, invocation, 'history');
  }
}
