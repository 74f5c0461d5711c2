import {
  ArrowDownOutlined,
  ArrowUpOutlined,
  CheckCircleOutlined,
  DisconnectOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import type { RoomState } from '@isotherm/contract/endpoints/monitoring/rooms'
import { useTranslation } from 'react-i18next'
import { Badge, type BadgeLooks } from '../../../shared/ui/badge.tsx'

const looks: BadgeLooks<RoomState> = {
  cold: { tone: 'alarm', icon: <ArrowDownOutlined /> },
  ok: { tone: 'good', icon: <CheckCircleOutlined /> },
  hot: { tone: 'caution', icon: <ArrowUpOutlined /> },
  doubtful: { tone: 'caution', icon: <WarningOutlined /> },
  silent: { tone: 'muted', icon: <DisconnectOutlined /> },
}

/** State of a room as icon and text. */
export function RoomStateBadge({ state }: { readonly state: RoomState }) {
  const { t } = useTranslation('rooms')
  return <Badge {...looks[state]}>{t(`state.${state}`)}</Badge>
}
