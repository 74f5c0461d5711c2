import { AimOutlined, FireOutlined, ScheduleOutlined, SwapOutlined } from '@ant-design/icons'
import type { PageDefinition } from '../../shared/page.ts'

const load = () => import('./balancing-page.tsx')

export const pages: readonly PageDefinition[] = [
  {
    path: '/ewph/eqmonitor',
    title: (t) => t('eqmonitor.title', { ns: 'balancing' }),
    nodeAction: (t) => t('eqmonitor.nodeAction', { ns: 'balancing' }),
    icon: AimOutlined,
    load: async () => ({ default: (await load()).TemperaturePage }),
    showsTree: true,
  },
  {
    path: '/ewph/sxmonitor',
    title: (t) => t('sxmonitor.title', { ns: 'balancing' }),
    nodeAction: (t) => t('sxmonitor.nodeAction', { ns: 'balancing' }),
    icon: ScheduleOutlined,
    load: async () => ({ default: (await load()).SequencePage }),
    showsTree: true,
  },
  {
    path: '/ewph/enmonitor',
    title: (t) => t('enmonitor.title', { ns: 'balancing' }),
    icon: FireOutlined,
    load: async () => ({ default: (await load()).EnergyPage }),
    showsTree: true,
  },
  {
    path: '/ewph/flowmonitor',
    title: (t) => t('flowmonitor.title', { ns: 'balancing' }),
    icon: SwapOutlined,
    load: async () => ({ default: (await load()).FlowPage }),
    showsTree: true,
  },
]
