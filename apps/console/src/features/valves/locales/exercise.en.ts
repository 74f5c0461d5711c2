import { match } from '../../../shared/i18n/match.ts'
import type { exerciseZh } from './exercise.zh.ts'

/** Texts of the exercise of valves. */
export const exerciseEn = match<typeof exerciseZh>()({
  start: 'Start an exercise',
  means:
    'Outside the heating season valves open, close and go back, so that they do not seize; each step waits for its confirmed position',
  none: 'No exercise yet',
  noValve: 'No such valve',
  confirm: 'Start',
  reason: 'Reason',
  preview: '{{count}} valves will open, close and go back to their opening',
  previewLeftOut: 'Left out:',
  inSeason: 'Valves are not exercised in the heating season ({{first}} to {{last}})',
  title: 'Report of the exercise · {{time}}',
  result: 'Result',
  progress: 'Progress',
  serial: 'Serial',
  cancel: 'Cancel exercise',
  cancelQuestion: 'Cancel this exercise?',
  cancelMeans: 'Commands that were not sent are withdrawn; valves that moved go back to their opening',
  step: { open: 'Opening', close: 'Closing', restore: 'Going back' },
  column: { open: 'Open', close: 'Closed', restore: 'Back' },
  state: {
    running: 'Running',
    cancelling: 'Being cancelled, going back',
    finished: 'Finished',
    cancelled: 'Cancelled',
    stopped: 'Stopped',
  },
  stop: {
    season: 'the heating season began',
    'no-access': 'its account may no longer control the valves',
    'none-possible': 'no valve takes the command',
    refused: 'refused by a limit',
  },
  outcome: {
    pending: 'Pending',
    moved: 'Moved',
    stuck: 'Stuck',
    'no-answer': 'No answer',
    interrupted: 'Interrupted',
    'left-out': 'Left out',
  },
  leftOut: {
    irrigation: 'valve of irrigation',
    retired: 'retired',
    'switched-off': 'control disabled',
    'outside-limits': 'outside its limits',
    'below-minimum': 'below the minimum opening',
    'too-far': 'larger change than one command may make',
    held: 'opening is held',
  },
})
