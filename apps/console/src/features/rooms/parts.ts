import type { PagePart } from '../../shared/parts/page-parts.ts'

const page = '/rtjc/rtalarm'

export const parts: readonly PagePart[] = [
  {
    page,
    key: 'rooms',
    title: (t) => t('control.rooms', { ns: 'rooms' }),
    load: () => import('./control/cold-rooms.tsx'),
  },
  {
    page,
    key: 'compliance',
    title: (t) => t('control.compliance', { ns: 'rooms' }),
    load: () => import('./control/compliance.tsx'),
  },
  {
    page,
    key: 'visits',
    title: (t) => t('control.visits', { ns: 'rooms' }),
    load: () => import('./visits/visits.tsx'),
  },
]
