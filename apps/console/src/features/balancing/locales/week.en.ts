import { match } from '../../../shared/i18n/match.ts'
import type { weekZh } from './week.zh.ts'

export const weekEn = match<typeof weekZh>()({
  week: {
    label: 'Week timetable',
    hint: 'Drag over free time to add a time slot, drag a slot to move it, drag its ends to resize it. Arrow keys move the selected slot, Shift with an arrow key moves its end, Delete removes it.',
    dayMenu: '{{short}}: copy or clear',
    copyToAll: 'Copy to every day',
    copyToWorkdays: 'Copy to Monday to Friday',
    copyToOne: 'Copy to one day',
    clear: 'Clear this day',
    chosen: 'Selected slot',
    from: 'From',
    to: 'To',
    nextDay: 'next day',
    slot: 'Slot',
    level: { flow: 'share of flow', room: 'room temperature' },
    split: 'Split',
    remove: 'Remove',
    done: 'Clear selection',
    add: 'Add a slot',
    addIt: 'Add',
    list: 'As a list',
  },
})
