import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleFilled,
  MinusCircleOutlined,
} from '@ant-design/icons'
import type { AlarmDelivery, AlarmTarget } from '@isotherm/contract/alarms/alarms'
import { getAlarmDeliveries } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { alarmKeys } from '../../../shared/alarms/alarm-keys.ts'
import { call } from '../../../shared/api/client.ts'
import { toCompactAddress, toWholeAddress } from '../../../shared/format/address.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { Badge, type BadgeLooks } from '../../../shared/ui/badge.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import styles from '../parts/alarms.module.css'
import { useFaultText } from './use-fault-text.ts'

const WIDTH_PX = 520
const SHOWN = 100
const POLL_MS = 5_000

const looks: BadgeLooks<AlarmDelivery['state']> = {
  waiting: { tone: 'accent', icon: <ClockCircleOutlined /> },
  sent: { tone: 'good', icon: <CheckCircleOutlined /> },
  'given-up': { tone: 'alarm', icon: <CloseCircleFilled /> },
  'not-needed': { tone: 'muted', icon: <MinusCircleOutlined /> },
}

interface DeliveryLogProps {
  /** Undefined while the log is closed. */
  readonly target: AlarmTarget | undefined
  readonly onClose: () => void
}

/** Messages to a receiver with the result of each. */
export function DeliveryLog({ target, onClose }: DeliveryLogProps) {
  const { t } = useTranslation('alarms')
  return (
    <SideDrawer
      isWanted={target !== undefined}
      title={t('deliveries.title', { name: target?.name ?? '' })}
      widthPx={WIDTH_PX}
      onClose={onClose}
    >
      {target && <Deliveries id={target.id} />}
    </SideDrawer>
  )
}

function Deliveries({ id }: { readonly id: number }) {
  const { t } = useTranslation('alarms')
  const query = useQuery({
    queryKey: [...alarmKeys.all, 'deliveries', id],
    queryFn: ({ signal }) =>
      call(getAlarmDeliveries, { id, limiter: { page: 1, size: SHOWN } }, { signal, quiet: true }),
    refetchInterval: POLL_MS,
  })
  return (
    <Answer query={query}>
      {({ datalist, total }) =>
        datalist.length === 0 ? (
          <EmptyState title={t('deliveries.none')} />
        ) : (
          <div className={styles.section}>
            <p className={styles.hint}>{t('deliveries.shown', { shown: datalist.length, total })}</p>
            <ul className={styles.cards} data-testid="delivery-log">
              {datalist.map((delivery) => (
                <DeliveryItem key={delivery.id} delivery={delivery} />
              ))}
            </ul>
          </div>
        )
      }
    </Answer>
  )
}

function DeliveryItem({ delivery }: { readonly delivery: AlarmDelivery }) {
  const { t } = useTranslation('alarms')
  const format = useFormat()
  const toFaultText = useFaultText()
  const { event, kind, nestaddr, state, attempts, at, sentAt, nextAt, fault } = delivery
  const times = [
    t('deliveries.at', { at: format.instant(at) }),
    sentAt !== undefined && t('deliveries.sentAt', { at: format.instant(sentAt) }),
    nextAt !== undefined && t('deliveries.nextAt', { at: format.instant(nextAt) }),
    attempts > 0 && t('deliveries.attempts', { count: attempts }),
  ].filter((part) => part !== false)
  return (
    <li className={styles.card}>
      <div className={styles.cardTitle}>
        <strong>
          {event === 'report'
            ? t('report.event')
            : [t(`event.${event}`), kind && t(`kind.${kind}`)].filter(Boolean).join(' · ')}
        </strong>
        <Badge {...looks[state]}>{t(`deliveries.state.${state}`)}</Badge>
      </div>
      <small className={styles.meta} title={toWholeAddress(nestaddr)}>
        {toCompactAddress(nestaddr)}
      </small>
      <small className={styles.meta}>{times.join(' · ')}</small>
      {fault && <small className={styles.meta}>{toFaultText(fault)}</small>}
    </li>
  )
}
