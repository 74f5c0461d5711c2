import { match } from '../../../shared/i18n/match.ts'
import type { zh } from './zh.ts'

export const en = match<typeof zh>()({
  rtreal: { title: 'Live room temperatures', nodeAction: 'Live rooms' },
  control: {
    rooms: 'Cold and hot rooms',
    compliance: 'Compliance and refunds',
    visits: 'Complaints and visits',
  },
})
