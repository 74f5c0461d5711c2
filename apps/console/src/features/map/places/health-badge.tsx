import {
  CheckCircleOutlined,
  DisconnectOutlined,
  MinusCircleOutlined,
  WarningOutlined,
} from '@ant-design/icons'
import type { MapPlace } from '@isotherm/contract/network/map'
import { useTranslation } from 'react-i18next'
import { Badge, type BadgeLooks } from '../../../shared/ui/badge.tsx'

const looks: BadgeLooks<MapPlace['health']> = {
  good: { tone: 'good', icon: <CheckCircleOutlined /> },
  caution: { tone: 'caution', icon: <WarningOutlined /> },
  alarm: { tone: 'alarm', icon: <DisconnectOutlined /> },
  none: { tone: 'muted', icon: <MinusCircleOutlined /> },
}

/** Device state of a place. */
export function HealthBadge({ health }: { readonly health: MapPlace['health'] }) {
  const { t } = useTranslation('map')
  return <Badge {...looks[health]}>{t(`health.${health}`)}</Badge>
}
